"""The server: who may ask, how it is answered, what is refused; and the page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from importlib.metadata import version
from time import monotonic
from typing import Any

from aiohttp import web

from whoknew.agents.errors import AgentError, ModelError
from whoknew.engine.errors import EngineError, NotRunning
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.server.access import GUEST, Access, Right, check_right
from whoknew.engine.server.answers import FAULT, HEADERS, answer, problem
from whoknew.engine.server.api import ROUTES
from whoknew.engine.server.call_table import CallTables
from whoknew.engine.server.character_view import Own
from whoknew.engine.server.connections import USUAL, TimeOuts
from whoknew.engine.server.cross_origin import preflight, shared_with
from whoknew.engine.server.errors import (
    NameTaken,
    NoSuchExam,
    NoSuchRun,
    NoSuchToken,
    NoToken,
    NoTokens,
    NotShared,
    RequestRefused,
    SeatTaken,
    TooSlow,
)
from whoknew.engine.server.glances import Glances
from whoknew.engine.server.lookings import Lookings
from whoknew.engine.server.metrics import Metrics
from whoknew.engine.server.openapi import openapi
from whoknew.engine.server.request_fields import body_of, query_of
from whoknew.engine.server.routes import API, Route
from whoknew.engine.server.runs import Runs
from whoknew.engine.server.seat import Seats
from whoknew.engine.server.seating import Seating
from whoknew.engine.server.selves import Selves
from whoknew.engine.server.served_exams import Exams
from whoknew.engine.server.shared_seat import SeatsOfAll
from whoknew.engine.server.sockets import Sockets
from whoknew.engine.server.stories import Stories
from whoknew.engine.server.stream import Streams
from whoknew.engine.server.viewer_files import ViewerFiles
from whoknew.engine.server.viewpoint import Eyes
from whoknew.engine.server.workforce import Workforce
from whoknew.eventlog import Log
from whoknew.eventlog.errors import (
    Conflict,
    LogError,
    LogInUse,
    NotFound,
    ReadOnly,
    StoreUnavailable,
)
from whoknew.eventlog.logger import logger
from whoknew.worlds.errors import WorldError

BODY = 1024 * 1024
"""Bytes that the body of a request may have: a larger one is refused."""

ASKING = (f"{API}/", "/metrics")
"""So begin the paths of what depends on who asks."""

GRACE = 5.0
"""Seconds that a server which stops waits for requests that are under way, and for calls of runs."""

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (NoSuchRun, 404),
    (NotRunning, 404),
    (NoSuchExam, 404),
    (NoSuchToken, 404),
    (NoTokens, 503),
    (Conflict, 409),
    (LogInUse, 409),
    (ReadOnly, 409),
    (StoreUnavailable, 503),
    (ModelError, 502),
    (NoToken, 401),
    (RequestRefused, 403),
    (TooSlow, 408),
    (NameTaken, 409),
    (NotShared, 409),
    (SeatTaken, 409),
    (LogError, 400),
    (WorldError, 400),
    (AgentError, 400),
    (EngineError, 400),
)
"""What each kind of error is as a status, the first that fits."""


class Server:
    """An open log, served. `writable` is whether this process writes it; `address` is where other
    processes find it, if they can."""

    def __init__(
        self,
        log: Log,
        access: Access,
        *,
        writable: bool,
        address: str | None = None,
        patience: TimeOuts = USUAL,
        recorded: Collection[str] = (),
        exams: Sequence[LoadedExam] = (),
    ) -> None:
        self._log, self._access, self._patience = log, access, patience
        leases = log.store.leases
        self.seats = seats = Seats() if leases is None else SeatsOfAll(log, leases)
        self._runs = Runs(log, address, seats, recorded)
        self.lookings = Lookings(log, self._runs)
        self._workforce = Workforce(log)
        seating = Seating(log, access.tokens, self._runs, seats, self._workforce)
        self._eyes = Eyes(log, access, seating)
        self._streams = Streams()
        self._metrics = Metrics()
        self._sockets = Sockets(log, self._streams, seats, self._eyes)
        seating.changed.append(self._sockets.look_again)
        self._parts: dict[str, Any] = {
            "log": log,
            "access": access,
            "runs": self._runs,
            "lookings": self.lookings,
            "seating": seating,
            "workforce": self._workforce,
            "eyes": self._eyes,
            "glances": Glances(log),
            "selves": Selves(log),
            "call_tables": CallTables(log),
            "stories": Stories(log),
            "exams": Exams(exams, log, address),
            "writable": writable,
            "sockets": self._sockets,
            "streams": self._streams,
            "metrics": self._metrics,
        }
        self._files = ViewerFiles()
        self._described = openapi(ROUTES, version("whoknew"))
        self._in_flight: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self.app = web.Application(client_max_size=BODY, middlewares=[self._guarded])
        for route in ROUTES:
            add = self.app.router.add_route
            add(route.method, route.path, self._answering(route))
            if route.method == "GET" and not route.streams:
                add("HEAD", route.path, self._answering(route))
        self.app.router.add_get(f"{API}/openapi.json", self._openapi)
        self._routes = list(self.app.router.resources())
        for path in ("/api", "/api/{path:.*}"):
            self.app.router.add_route("*", path, self._nothing)
        self.app.router.add_get("/{path:.*}", self._page)
        self.app.on_response_prepare.append(self._add_headers)
        self.app.on_shutdown.append(self._shut_down)

    @property
    def viewers(self) -> int:
        return self._streams.viewers

    def _answering(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def answering(request: web.Request) -> web.StreamResponse:
            answering = route.answering
            own = await self._own(request, route)
            if own is None or route.right > Right.READ:
                check_right(request[GUEST], route.right)
            if own is not None:
                if route.own is None:
                    raise RequestRefused(_untold(own))
                answering = route.own
            query = query_of(request, answering.query)
            body = await body_of(request, answering.body, self._patience.sending)
            if other := getattr(query, "other", None):
                await self._check_open(request, other)
            given = self._parts | _named(request)
            given |= {"request": request, "guest": request[GUEST], "own": own}
            given |= {"query": query, "body": body}
            result = await answering.handler(**{name: given[name] for name in answering.wanted})
            return result if isinstance(result, web.StreamResponse) else answer(result)

        return answering

    async def _check_open(self, request: web.Request, world: str) -> None:
        if await self._eyes.is_closed(request, world):
            raise RequestRefused(f"a seat of {world!r} is taken: it cannot be compared now")

    async def _own(self, request: web.Request, route: Route) -> Own | None:
        """All that whoever asks may see of the world it asks about, if that is not all of it."""
        if "world" not in route.names:
            return None
        check_right(request[GUEST], Right.VIEW)
        who = request.query.get("as") if route.own else None
        return await self._eyes.own(request, request.match_info["world"], who or None)

    @web.middleware
    async def _guarded(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        """Every request: who asks and from where, and what went wrong, said in JSON."""
        begun = monotonic()
        task = asyncio.current_task()
        assert task is not None
        self._in_flight.add(task)
        try:
            if self._stopping:
                raise web.HTTPServiceUnavailable(text="the server is stopping: come again later")
            self._check_origin(request)
            if asked := preflight(request, self._access):
                response: web.StreamResponse = asked
            else:
                if request.path.startswith(ASKING):  # what the page is made of needs no database
                    await self._access.tokens.refresh()
                request[GUEST] = self._eyes.guest(request)
                response = await handler(request)
        except web.HTTPException as error:
            response = problem(error.status, error.text or error.reason, error.headers.get("Allow"))
        except UnicodeError as error:
            response = problem(400, f"the request holds what is not UTF-8 ({error}): send UTF-8")
        except (LogError, WorldError, AgentError, EngineError) as error:
            response = problem(_status(error), str(error))
        except (asyncio.CancelledError, ConnectionError):
            raise
        except (Exception, SystemExit):  # noqa: BLE001  (nobody outside is told what it was)
            logger().exception("request.failed", path=request.path)
            response = problem(500, FAULT)
        finally:
            self._in_flight.discard(task)
        self._metrics.answered(request.method, response.status, monotonic() - begun)
        return response

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        """What a page may load, and which pages of other sites may read it: of every answer."""
        response.headers.update(HEADERS)
        response.headers.update(shared_with(request, self._access))

    def _check_origin(self, request: web.Request) -> None:
        """A page from elsewhere may not ask, and may not name this server as its own."""
        if not self._access.knows_host(request.host):
            raise web.HTTPForbidden(text=f"{request.host!r} is no name of this server")
        origin = request.headers.get("Origin")
        if origin in self._access.origins:
            return
        upgrades = "upgrade" in request.headers.get("Connection", "").lower()
        if request.method in ("GET", "HEAD") and not upgrades:
            return
        site = request.headers.get("Sec-Fetch-Site", "none")
        if site not in ("none", "same-origin"):
            raise web.HTTPForbidden(text=f"a page of another site ({site}) may not ask for this")
        if origin and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text=f"the origin {origin!r} is not this server")

    async def _openapi(self, request: web.Request) -> web.Response:
        return answer(self._described)

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """The page, and what it is made of; every address of the page's own is the page."""
        return self._files.answer(request)

    async def _nothing(self, request: web.Request) -> web.StreamResponse:
        """Below the API no route answers this method, or none this path."""
        allowed: set[str] = set()
        for route in self._routes:
            allowed |= (await route.resolve(request))[1]
        method, path = request.method, request.path
        if allowed:
            use = " or ".join(sorted(allowed))
            what = f"{method} is not answered at {path}: use {use}"
            raise web.HTTPMethodNotAllowed(method, allowed, text=what)
        raise web.HTTPNotFound(
            text=f"there is nothing at {path}: {API}/openapi.json tells what there is"
        )

    async def _shut_down(self, app: web.Application) -> None:
        """Nobody new is let in. Runs suspend in order, viewers are told, and what is in flight after
        the grace is dropped."""
        self._stopping = True
        async with asyncio.TaskGroup() as group:
            group.create_task(self._runs.close(GRACE))
            group.create_task(self.lookings.close())
            group.create_task(self._close_streams())
            group.create_task(self._drop_requests())
        await self.seats.close()

    async def _close_streams(self) -> None:
        await self._streams.close()
        await self._sockets.close()

    async def _drop_requests(self) -> None:
        if self._in_flight:
            await asyncio.wait(self._in_flight, timeout=GRACE)
        dropped = list(self._in_flight)
        for task in dropped:
            task.cancel()
        if dropped:  # what was paid for is written down first
            await asyncio.wait(dropped)


def _untold(own: Own) -> str:
    if own.who is None:
        return "a seat of this world is taken: without a token only its public part is sent"
    return f"this is not shown to {own.who}: it is more than a character perceives"


def _named(request: web.Request) -> dict[str, Any]:
    """What the path of a request names."""
    given: dict[str, Any] = dict(request.match_info)
    if "world" in given:
        given["name"] = given.pop("world")
    if "run" in given:
        given["run"] = _number(given["run"])
    return given


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise NoSuchRun(f"{text[:50]!r} is not the number of a run")
    return int(text)


def _status(error: Exception) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 400)
