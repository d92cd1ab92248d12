"""What can be asked of a server beside what is asked of one world; and all its routes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import version as version_of

from aiohttp import web
from msgspec import Struct

from whoknew.engine.plan.parts import PartLine, parts
from whoknew.engine.running.workers import AtWork
from whoknew.engine.server import exams, payloads, players, worlds
from whoknew.engine.server.access import Access, Guest, Right, check_writable
from whoknew.engine.server.character_view import Own
from whoknew.engine.server.errors import BadRequest, RequestRefused
from whoknew.engine.server.glances import Glances
from whoknew.engine.server.metrics import Metrics
from whoknew.engine.server.routes import API, EVENTS, TEXT, WORLD, CountedRows, RouteTable
from whoknew.engine.server.run_requests import Begin
from whoknew.engine.server.runs import RunLine, Runs
from whoknew.engine.server.seating import Seating
from whoknew.engine.server.sockets import Sockets, StreamQuery
from whoknew.engine.server.stream import PROTOCOL, Message, OwnMessage, Streams
from whoknew.engine.server.tokens import LASTS, Given, Token
from whoknew.engine.server.viewpoint import Eyes
from whoknew.engine.server.workforce import Workforce
from whoknew.eventlog import Log

routes = RouteTable()


class Health(Struct, frozen=True):
    state: str


class Give(Struct, frozen=True, rename={"lasts": "for"}):
    """A token for a character; `for` is how long it lasts, as 30m, 12h or 7d."""

    world: payloads.Short
    character: payloads.Short
    lasts: payloads.Short = LASTS


class Version(Struct, frozen=True, kw_only=True):
    version: str
    protocol: str
    writable: bool
    right: str
    world: str | None
    character: str | None
    seat: bool
    """Whether it sits, by a cookie of this browser's, where it may see no more."""


@routes.add(f"GET {API}/health", Right.NOTHING)
async def health(log: Log) -> Health:
    """Whether the server answers, and can read its log."""
    await log.worlds()
    return Health("ok")


@routes.add(f"GET {API}/version", Right.NOTHING)
async def version(request: web.Request, guest: Guest, seating: Seating, writable: bool) -> Version:
    """Which Whoknew this is, and what one may do here."""
    return Version(
        version=version_of("whoknew"),
        protocol=PROTOCOL,
        writable=writable,
        right=guest.right.name.lower(),
        world=guest.world,
        character=guest.character,
        seat=guest.right == Right.VIEW and seating.is_bound(request),
    )


@routes.add(f"GET {API}/parts")
async def list_parts() -> tuple[PartLine, ...]:
    """The memories, methods, agents, judges and models that a plan can name; and importers."""
    return tuple(await asyncio.to_thread(parts))


@routes.add(f"GET {API}/worlds")
async def list_worlds(
    request: web.Request, query: payloads.WorldsQuery, glances: Glances, eyes: Eyes
) -> CountedRows[payloads.WorldLine]:
    """The newest worlds of the log, at a glance."""
    found = await glances.worlds(query)
    closed = await eyes.closed(request, [line.name for line in found.rows])
    lines = [line.discreet if line.name in closed else line for line in found.rows]
    return CountedRows(tuple(lines), found.total)


# streams, and what is counted


@routes.add(
    f"GET {WORLD}/stream",
    Right.VIEW,
    result=Message,
    own_result=OwnMessage,
    shared=True,
    media=EVENTS,
)
async def stream(
    request: web.Request,
    name: str,
    query: StreamQuery,
    guest: Guest,
    own: Own | None,
    sockets: Sockets,
) -> web.StreamResponse:
    """A world as it happens: over a WebSocket, or as server-sent events."""
    return await sockets.stream(request, name, query, guest, own)


@routes.add("GET /metrics", result=str, media=TEXT)
async def get_metrics(
    request: web.Request, eyes: Eyes, metrics: Metrics, streams: Streams, runs: Runs
) -> web.Response:
    """What the server has counted, as Prometheus reads it."""
    if eyes.is_any_closed(request):
        raise RequestRefused(
            "a seat is taken, and these figures count what players may not see: send a token"
        )
    text = metrics.text(streams.viewers, runs.all())
    return web.Response(text=text, content_type=TEXT, charset="utf-8")


# tokens


@routes.add(f"GET {API}/tokens", Right.CONTROL)
async def list_tokens(
    request: web.Request, query: payloads.PageQuery, eyes: Eyes, access: Access
) -> CountedRows[Token]:
    """The view tokens that stand: for whom each is, and until when."""
    if eyes.is_any_closed(request):
        raise RequestRefused("a seat is taken: list the tokens with `whoknew token ls`")
    found = access.tokens.all()
    return CountedRows(found[query.skip : query.skip + query.limit], len(found))


@routes.add(f"POST {API}/tokens", Right.CONTROL)
async def give_token(
    request: web.Request, body: Give, log: Log, eyes: Eyes, access: Access
) -> Given:
    """A token that shows one character's view, and lets it be played."""
    if await eyes.is_closed(request, body.world):
        raise RequestRefused("a seat of this world is taken: give tokens with `whoknew token give`")
    await log.view(body.world, body.character)
    return await access.tokens.give(body.world, body.character, body.lasts)


@routes.add(f"DELETE {API}/tokens/{{token}}", Right.CONTROL)
async def revoke_token(request: web.Request, token: str, eyes: Eyes, access: Access) -> Token:
    """Take a view token back, by its id."""
    if eyes.is_any_closed(request):
        raise RequestRefused("a seat is taken: take tokens back with `whoknew token revoke`")
    return await access.tokens.revoke(token)


# runs


class Whom(Struct, frozen=True):
    """Of those who play this log, who is meant: by a `world` that they play, a plan, or a name; or `all`."""

    world: payloads.Short | None = None
    all: bool = False

    def checked(self) -> str | None:
        if (self.world is None) == (not self.all):
            raise BadRequest("give a `world`, or `all` as true: one of the two")
        return self.world


class AskedWorker(Struct, frozen=True, kw_only=True):
    """Who was asked, without figures: whoever asks may be a player."""

    name: str
    plan: str
    paused: bool


def _asked(found: Sequence[AtWork]) -> tuple[AskedWorker, ...]:
    return tuple(AskedWorker(name=one.name, plan=one.plan, paused=one.paused) for one in found)


@routes.add(f"GET {API}/workers")
async def list_workers(
    request: web.Request, eyes: Eyes, workforce: Workforce
) -> tuple[AtWork, ...]:
    """The processes that play a log on PostgreSQL, this server among them: how fast, and what it costs."""
    if eyes.is_any_closed(request):
        raise RequestRefused(
            "a seat is taken, and these figures count what players may not see: send a token"
        )
    return await workforce.all()


@routes.add(f"POST {API}/workers/stop", Right.CONTROL)
async def stop_workers(body: Whom, workforce: Workforce) -> tuple[AskedWorker, ...]:
    """Stop processes in order, wherever they are: those whose chains others do not go on with can go on
    later."""
    return _asked(await workforce.stop(body.checked()))


@routes.add(f"POST {API}/workers/pause", Right.CONTROL)
async def pause_workers(body: Whom, workforce: Workforce) -> tuple[AskedWorker, ...]:
    """Let all who play a plan finish their turns in flight, and wait."""
    return _asked(await workforce.pause(body.checked()))


@routes.add(f"POST {API}/workers/resume", Right.CONTROL)
async def resume_workers(body: Whom, workforce: Workforce) -> tuple[AskedWorker, ...]:
    """Let all who play a plan go on."""
    return _asked(await workforce.resume(body.checked()))


@routes.add(f"GET {API}/runs")
async def list_runs(
    request: web.Request, query: payloads.RunsQuery, runs: Runs, eyes: Eyes, seating: Seating
) -> CountedRows[RunLine]:
    """The runs of this server: how each stands, whom it waits for, and whose seats are free."""
    found = runs.all()
    there = [line for line in found if query.before is None or line.id < query.before]
    lines = [seating.free(line) for line in there[-query.limit :]]
    return CountedRows(await _all_told(request, eyes, lines), len(found))


@routes.add(f"POST {API}/runs", Right.CONTROL)
async def begin_run(
    request: web.Request, body: Begin, runs: Runs, eyes: Eyes, writable: bool
) -> RunLine:
    """Play a plan, a bundled world, or go on with a world of the log."""
    check_writable(writable)
    return await _told(request, eyes, await runs.begin(body))


@routes.add(f"POST {API}/runs/{{run}}/pause", Right.CONTROL)
async def pause_run(request: web.Request, run: int, runs: Runs, eyes: Eyes) -> RunLine:
    """Let the turns in flight finish, and wait."""
    return await _told(request, eyes, await runs.pause(run))


@routes.add(f"POST {API}/runs/{{run}}/resume", Right.CONTROL)
async def resume_run(
    request: web.Request, run: int, runs: Runs, eyes: Eyes, writable: bool
) -> RunLine:
    """Go on with a run that was paused, stopped or failed."""
    check_writable(writable)
    return await _told(request, eyes, await runs.resume(run))


@routes.add(f"POST {API}/runs/{{run}}/stop", Right.CONTROL)
async def stop_run(request: web.Request, run: int, runs: Runs, eyes: Eyes) -> RunLine:
    """Stop a run in order; it can go on later."""
    return await _told(request, eyes, await runs.stop(run))


async def _told(request: web.Request, eyes: Eyes, line: RunLine) -> RunLine:
    (told,) = await _all_told(request, eyes, [line])
    return told


async def _all_told(
    request: web.Request, eyes: Eyes, lines: Sequence[RunLine]
) -> tuple[RunLine, ...]:
    """As much of runs as whoever asks may know."""
    closed = await eyes.closed(request, [world for line in lines for world in line.worlds])
    return tuple(line if closed.isdisjoint(line.worlds) else line.discreet for line in lines)


ROUTES = (*routes.routes, *worlds.routes.routes, *players.routes.routes, *exams.routes.routes)
