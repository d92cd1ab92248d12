"""What can be asked of a server, route by route."""

from __future__ import annotations

from importlib.metadata import version

from aiohttp import web
from msgspec import Struct

from whoknew.engine.asking.ask import Asked
from whoknew.engine.server import owned, worlds
from whoknew.engine.server.access import Access, Guest, Right
from whoknew.engine.server.errors import Refused
from whoknew.engine.server.eyes import Eyes
from whoknew.engine.server.routes import Own, Route
from whoknew.engine.server.runs import RunLine, Runs
from whoknew.engine.server.seating import Left, Seated, Seating
from whoknew.engine.server.stream import PROTOCOL
from whoknew.engine.server.tallies import Tallies
from whoknew.engine.server.tokens import Given, Token, lasting
from whoknew.engine.server.wanted import Begin
from whoknew.engine.travel.fork import Forked
from whoknew.engine.travel.knows import Matrix
from whoknew.engine.travel.mark import Marked
from whoknew.engine.travel.prompt import Prompted
from whoknew.engine.travel.recall import Found
from whoknew.eventlog import Known, Log


class Health(Struct, frozen=True):
    state: str


class Give(Struct, frozen=True, rename={"lasts": "for"}):
    """A token for a character; `for` is how long it lasts, as 30m, 12h or 7d."""

    world: worlds.Short
    character: worlds.Short
    lasts: worlds.Short = "7d"


class Version(Struct, frozen=True):
    version: str
    protocol: str
    writable: bool
    right: str
    world: str | None
    character: str | None


class Api:
    """The routes of one server. `writable` is whether it writes its log."""

    def __init__(
        self,
        log: Log,
        access: Access,
        runs: Runs,
        seating: Seating,
        eyes: Eyes,
        *,
        writable: bool,
    ) -> None:
        self._log, self._access, self._runs = log, access, runs
        self._seating, self._eyes = seating, eyes
        self._writable = writable
        self._tallies = Tallies()
        self._lines: dict[str, worlds.WorldLine] = {}
        self.routes = self._described()

    def _described(self) -> list[Route]:
        read, control = Right.READ, Right.CONTROL
        one = "/api/worlds/{world}"
        w, o = worlds, owned
        return [
            Route("GET", "/api/health", self._health, Health, Right.NOTHING),
            Route("GET", "/api/version", self._version, Version, Right.NOTHING),
            Route("GET", "/api/worlds", self._worlds, tuple[w.WorldLine, ...], query=w.WorldsQuery),
            Route("GET", one, w.world, w.WorldView, own=Own(o.world, o.OwnWorld)),
            Route(
                "GET",
                f"{one}/events",
                w.events,
                w.Page,
                query=w.EventsQuery,
                own=Own(o.events, o.OwnPage),
            ),
            Route(
                "GET",
                f"{one}/cursor",
                w.cursor,
                w.CursorFound,
                query=w.AtQuery,
                own=Own(o.cursor, o.OwnCursor),
            ),
            Route("GET", f"{one}/scores", w.scores, w.ScorePage, read, w.ScoresQuery),
            Route("GET", f"{one}/knowledge", w.knowledge, Matrix, read, w.KnowledgeQuery),
            Route("GET", f"{one}/trace", w.trace, tuple[Known, ...], read, w.TraceQuery),
            Route("GET", f"{one}/prompts", w.prompt, tuple[Prompted, ...], read, w.PromptQuery),
            Route(
                "GET",
                f"{one}/recall",
                w.remembered,
                Found,
                query=w.RecallQuery,
                own=Own(o.recall, o.OwnFound),
            ),
            Route("GET", f"{one}/compare", w.compared, w.Compared, read, w.CompareQuery),
            Route("POST", f"{one}/ask", w.asked, Asked, read, body=w.Question),
            Route("POST", f"{one}/forks", w.forked, Forked, control, body=w.Fork),
            Route("POST", f"{one}/marks", w.marked, Marked, control, body=w.Mark),
            Route(
                "POST",
                f"{one}/seats",
                self._sit_down,
                Seated,
                control,
                body=w.Seat,
                own=Own(self._sit_down, Seated),
            ),
            Route(
                "DELETE",
                f"{one}/seats",
                self._stand_up,
                Left,
                control,
                own=Own(self._stand_up, Left),
            ),
            Route("GET", "/api/tokens", self._tokens, tuple[Token, ...], control),
            Route("POST", "/api/tokens", self._given, Given, control, body=Give),
            Route("DELETE", "/api/tokens/{token}", self._revoked, Token, control),
            Route("GET", "/api/runs", self._all_runs, tuple[RunLine, ...]),
            Route("POST", "/api/runs", self._begin, RunLine, control, body=Begin),
            Route("POST", "/api/runs/{run}/pause", self._pause, RunLine, control),
            Route("POST", "/api/runs/{run}/resume", self._resume, RunLine, control),
            Route("POST", "/api/runs/{run}/stop", self._stop, RunLine, control),
        ]

    async def _health(self) -> Health:
        """Whether the server answers, and can read its log."""
        await self._log.worlds()
        return Health("ok")

    async def _worlds(
        self, request: web.Request, query: worlds.WorldsQuery
    ) -> tuple[worlds.WorldLine, ...]:
        """The newest worlds of the log, at a glance."""
        lines = await worlds.worlds(self._log, self._tallies, self._lines, query)
        closed = [await self._eyes.is_closed(request, line.name) for line in lines]
        return tuple(
            line.discreet if is_closed else line
            for line, is_closed in zip(lines, closed, strict=True)
        )

    async def _version(self, guest: Guest) -> Version:
        """Which Whoknew this is, and what one may do here."""
        right = guest.right.name.lower()
        return Version(
            version("whoknew"), PROTOCOL, self._writable, right, guest.world, guest.character
        )

    async def _sit_down(self, request: web.Request, name: str, body: worlds.Seat) -> web.Response:
        """Take a character's seat in this browser: it is sent what that one perceives, and acts."""
        return await self._seating.sit(request, name, body.character)

    async def _stand_up(self, request: web.Request, name: str) -> web.Response:
        """Leave the seat that this browser has."""
        return await self._seating.stand(request, name)

    async def _tokens(self) -> tuple[Token, ...]:
        """The view tokens that stand: for whom each is, and until when."""
        return self._access.tokens.all()

    async def _given(self, request: web.Request, body: Give) -> Given:
        """A token that shows one character's view, and lets it be played."""
        if await self._eyes.is_closed(request, body.world):
            raise Refused("a seat of this world is taken: give tokens with `whoknew token give`")
        await self._log.view(body.world, body.character)
        return self._access.tokens.give(body.world, body.character, lasting(body.lasts))

    async def _revoked(self, request: web.Request, token: str) -> Token:
        """Take a view token back, by its id."""
        if self._eyes.is_any_closed(request):
            raise Refused("a seat is taken: take tokens back with `whoknew token revoke`")
        return self._access.tokens.revoke(token)

    async def _all_runs(self, request: web.Request) -> tuple[RunLine, ...]:
        """The runs of this server: how each stands."""
        return tuple([await self._line(request, line) for line in self._runs.all()])

    async def _begin(self, request: web.Request, body: Begin) -> RunLine:
        """Play a plan, a bundled world, or go on with a world of the log."""
        self._check_writable()
        return await self._line(request, await self._runs.begin(body))

    async def _pause(self, request: web.Request, run: int) -> RunLine:
        """Let the turns in flight finish, and wait."""
        return await self._line(request, await self._runs.pause(run))

    async def _resume(self, request: web.Request, run: int) -> RunLine:
        """Go on with a run that was paused, stopped or failed."""
        self._check_writable()
        return await self._line(request, await self._runs.resume(run))

    async def _stop(self, request: web.Request, run: int) -> RunLine:
        """Stop a run in order; it can go on later."""
        return await self._line(request, await self._runs.stop(run))

    async def _line(self, request: web.Request, line: RunLine) -> RunLine:
        """As much of a run as whoever asks may know."""
        closed = [await self._eyes.is_closed(request, world) for world in line.worlds]
        return line.discreet if any(closed) else line

    def _check_writable(self) -> None:
        if not self._writable:
            raise Refused("another process writes this log: stop it, and start the server again")
