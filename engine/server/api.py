"""What can be asked of a server, route by route."""

from __future__ import annotations

from importlib.metadata import version

from aiohttp import web
from msgspec import Struct

from whoknew.engine.asking.ask import Asked
from whoknew.engine.server import character_routes as owned
from whoknew.engine.server import payloads, worlds
from whoknew.engine.server.access import Access, Guest, Right
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.routes import OwnAnswer, Route
from whoknew.engine.server.run_requests import Begin
from whoknew.engine.server.runs import RunLine, Runs
from whoknew.engine.server.seating import Seated, SeatGivenUp, Seating
from whoknew.engine.server.stream import PROTOCOL
from whoknew.engine.server.tallies import Tallies
from whoknew.engine.server.tokens import Given, Token, lasting
from whoknew.engine.server.viewpoint import Eyes
from whoknew.engine.travel.fork import Forked
from whoknew.engine.travel.knows import Matrix
from whoknew.engine.travel.mark import Marked
from whoknew.engine.travel.prompt import Prompted
from whoknew.engine.travel.recall import RecallResult
from whoknew.eventlog import Known, Log


class Health(Struct, frozen=True):
    state: str


class Give(Struct, frozen=True, rename={"lasts": "for"}):
    """A token for a character; `for` is how long it lasts, as 30m, 12h or 7d."""

    world: payloads.Short
    character: payloads.Short
    lasts: payloads.Short = "7d"


class Version(Struct, frozen=True, kw_only=True):
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
        self._lines: dict[str, payloads.WorldLine] = {}
        self.routes = self._described()

    def _described(self) -> list[Route]:
        read, control = Right.READ, Right.CONTROL
        one = "/api/worlds/{world}"
        w, o, p = worlds, owned, payloads
        return [
            Route(
                method="GET",
                path="/api/health",
                handler=self._health,
                result=Health,
                right=Right.NOTHING,
            ),
            Route(
                method="GET",
                path="/api/version",
                handler=self._version,
                result=Version,
                right=Right.NOTHING,
            ),
            Route(
                method="GET",
                path="/api/worlds",
                handler=self._worlds,
                result=tuple[p.WorldLine, ...],
                query=p.WorldsQuery,
            ),
            Route(
                method="GET",
                path=one,
                handler=w.world,
                result=p.WorldView,
                own=OwnAnswer(o.world, o.OwnWorld),
            ),
            Route(
                method="GET",
                path=f"{one}/events",
                handler=w.events,
                result=p.Page,
                query=p.EventsQuery,
                own=OwnAnswer(o.events, o.OwnPage),
            ),
            Route(
                method="GET",
                path=f"{one}/cursor",
                handler=w.cursor,
                result=p.CursorFound,
                query=p.AtQuery,
                own=OwnAnswer(o.cursor, o.OwnCursor),
            ),
            Route(
                method="GET",
                path=f"{one}/scores",
                handler=w.scores,
                result=p.ScorePage,
                right=read,
                query=p.ScoresQuery,
            ),
            Route(
                method="GET",
                path=f"{one}/knowledge",
                handler=w.knowledge,
                result=Matrix,
                right=read,
                query=p.KnowledgeQuery,
            ),
            Route(
                method="GET",
                path=f"{one}/trace",
                handler=w.trace,
                result=tuple[Known, ...],
                right=read,
                query=p.TraceQuery,
            ),
            Route(
                method="GET",
                path=f"{one}/prompts",
                handler=w.prompt,
                result=tuple[Prompted, ...],
                right=read,
                query=p.PromptQuery,
            ),
            Route(
                method="GET",
                path=f"{one}/recall",
                handler=w.remembered,
                result=RecallResult,
                query=p.RecallQuery,
                own=OwnAnswer(o.recall, o.OwnFound),
            ),
            Route(
                method="GET",
                path=f"{one}/compare",
                handler=w.compared,
                result=p.Compared,
                right=read,
                query=p.CompareQuery,
            ),
            Route(
                method="POST",
                path=f"{one}/ask",
                handler=w.asked,
                result=Asked,
                right=read,
                body=p.Question,
            ),
            Route(
                method="POST",
                path=f"{one}/forks",
                handler=w.forked,
                result=Forked,
                right=control,
                body=p.Fork,
            ),
            Route(
                method="POST",
                path=f"{one}/marks",
                handler=w.marked,
                result=Marked,
                right=control,
                body=p.Mark,
            ),
            Route(
                method="POST",
                path=f"{one}/seats",
                handler=self._sit_down,
                result=Seated,
                right=control,
                body=p.SeatState,
                own=OwnAnswer(self._sit_down, Seated),
            ),
            Route(
                method="DELETE",
                path=f"{one}/seats",
                handler=self._stand_up,
                result=SeatGivenUp,
                right=control,
                own=OwnAnswer(self._stand_up, SeatGivenUp),
            ),
            Route(
                method="GET",
                path="/api/tokens",
                handler=self._tokens,
                result=tuple[Token, ...],
                right=control,
            ),
            Route(
                method="POST",
                path="/api/tokens",
                handler=self._given,
                result=Given,
                right=control,
                body=Give,
            ),
            Route(
                method="DELETE",
                path="/api/tokens/{token}",
                handler=self._revoked,
                result=Token,
                right=control,
            ),
            Route(
                method="GET", path="/api/runs", handler=self._all_runs, result=tuple[RunLine, ...]
            ),
            Route(
                method="POST",
                path="/api/runs",
                handler=self._begin,
                result=RunLine,
                right=control,
                body=Begin,
            ),
            Route(
                method="POST",
                path="/api/runs/{run}/pause",
                handler=self._pause,
                result=RunLine,
                right=control,
            ),
            Route(
                method="POST",
                path="/api/runs/{run}/resume",
                handler=self._resume,
                result=RunLine,
                right=control,
            ),
            Route(
                method="POST",
                path="/api/runs/{run}/stop",
                handler=self._stop,
                result=RunLine,
                right=control,
            ),
        ]

    async def _health(self) -> Health:
        """Whether the server answers, and can read its log."""
        await self._log.worlds()
        return Health("ok")

    async def _worlds(
        self, request: web.Request, query: payloads.WorldsQuery
    ) -> tuple[payloads.WorldLine, ...]:
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
            version=version("whoknew"),
            protocol=PROTOCOL,
            writable=self._writable,
            right=right,
            world=guest.world,
            character=guest.character,
        )

    async def _sit_down(
        self, request: web.Request, name: str, body: payloads.SeatState
    ) -> web.Response:
        """Take a character's seat in this browser: it is sent what that one perceives, and acts."""
        return await self._seating.sit(request, name, body.character)

    async def _stand_up(self, request: web.Request, name: str) -> web.Response:
        """Leave the seat that this browser has."""
        return await self._seating.stand(request, name)

    async def _tokens(self, request: web.Request) -> tuple[Token, ...]:
        """The view tokens that stand: for whom each is, and until when."""
        if self._eyes.is_any_closed(request):
            raise RequestRefused("a seat is taken: list the tokens with `whoknew token ls`")
        return self._access.tokens.all()

    async def _given(self, request: web.Request, body: Give) -> Given:
        """A token that shows one character's view, and lets it be played."""
        if await self._eyes.is_closed(request, body.world):
            raise RequestRefused(
                "a seat of this world is taken: give tokens with `whoknew token give`"
            )
        await self._log.view(body.world, body.character)
        return self._access.tokens.give(body.world, body.character, lasting(body.lasts))

    async def _revoked(self, request: web.Request, token: str) -> Token:
        """Take a view token back, by its id."""
        if self._eyes.is_any_closed(request):
            raise RequestRefused("a seat is taken: take tokens back with `whoknew token revoke`")
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
            raise RequestRefused(
                "another process writes this log: stop it, and start the server again"
            )
