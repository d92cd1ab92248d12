"""What can be asked of a server beside what is asked of one world; and all its routes."""

from __future__ import annotations

import asyncio
from importlib.metadata import version as version_of

from aiohttp import web
from msgspec import Struct

from whoknew.engine.plan.parts import PartLine, parts
from whoknew.engine.server import exams, payloads, worlds
from whoknew.engine.server.access import Access, Guest, Right, check_writable
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.glances import Glances
from whoknew.engine.server.routes import WORLD, RouteTable
from whoknew.engine.server.run_requests import Begin
from whoknew.engine.server.runs import RunLine, Runs
from whoknew.engine.server.seating import Seated, SeatGivenUp, Seating
from whoknew.engine.server.stream import PROTOCOL
from whoknew.engine.server.tokens import LASTS, Given, Token
from whoknew.engine.server.viewpoint import Eyes
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


@routes.add("GET /api/health", Right.NOTHING)
async def health(log: Log) -> Health:
    """Whether the server answers, and can read its log."""
    await log.worlds()
    return Health("ok")


@routes.add("GET /api/version", Right.NOTHING)
async def version(guest: Guest, writable: bool) -> Version:
    """Which Whoknew this is, and what one may do here."""
    return Version(
        version=version_of("whoknew"),
        protocol=PROTOCOL,
        writable=writable,
        right=guest.right.name.lower(),
        world=guest.world,
        character=guest.character,
    )


@routes.add("GET /api/parts")
async def named_parts() -> tuple[PartLine, ...]:
    """The memories, methods, agents, judges and models that a plan can name; and importers."""
    return tuple(await asyncio.to_thread(parts))


@routes.add("GET /api/worlds")
async def at_a_glance(
    request: web.Request, query: payloads.WorldsQuery, glances: Glances, eyes: Eyes
) -> tuple[payloads.WorldLine, ...]:
    """The newest worlds of the log, at a glance."""
    lines = await glances.worlds(query)
    closed = [await eyes.is_closed(request, line.name) for line in lines]
    return tuple(
        line.discreet if is_closed else line for line, is_closed in zip(lines, closed, strict=True)
    )


# seats


@routes.add(f"POST {WORLD}/seats", Right.CONTROL, result=Seated, shared=True)
async def sit_down(
    request: web.Request, name: str, body: payloads.SeatState, seating: Seating
) -> web.Response:
    """Take a character's seat in this browser: it is sent what that one perceives, and acts."""
    return await seating.sit(request, name, body.character)


@routes.add(f"DELETE {WORLD}/seats", Right.CONTROL, result=SeatGivenUp, shared=True)
async def stand_up(request: web.Request, name: str, seating: Seating) -> web.Response:
    """Leave the seat that this browser has."""
    return await seating.stand(request, name)


# tokens


@routes.add("GET /api/tokens", Right.CONTROL)
async def tokens(request: web.Request, eyes: Eyes, access: Access) -> tuple[Token, ...]:
    """The view tokens that stand: for whom each is, and until when."""
    if eyes.is_any_closed(request):
        raise RequestRefused("a seat is taken: list the tokens with `whoknew token ls`")
    return access.tokens.all()


@routes.add("POST /api/tokens", Right.CONTROL)
async def give(request: web.Request, body: Give, log: Log, eyes: Eyes, access: Access) -> Given:
    """A token that shows one character's view, and lets it be played."""
    if await eyes.is_closed(request, body.world):
        raise RequestRefused("a seat of this world is taken: give tokens with `whoknew token give`")
    await log.view(body.world, body.character)
    return access.tokens.give(body.world, body.character, body.lasts)


@routes.add("DELETE /api/tokens/{token}", Right.CONTROL)
async def revoke(request: web.Request, token: str, eyes: Eyes, access: Access) -> Token:
    """Take a view token back, by its id."""
    if eyes.is_any_closed(request):
        raise RequestRefused("a seat is taken: take tokens back with `whoknew token revoke`")
    return access.tokens.revoke(token)


# runs


@routes.add("GET /api/runs")
async def all_runs(request: web.Request, runs: Runs, eyes: Eyes) -> tuple[RunLine, ...]:
    """The runs of this server: how each stands."""
    return tuple([await _told(request, eyes, line) for line in runs.all()])


@routes.add("POST /api/runs", Right.CONTROL)
async def begin(
    request: web.Request, body: Begin, runs: Runs, eyes: Eyes, writable: bool
) -> RunLine:
    """Play a plan, a bundled world, or go on with a world of the log."""
    check_writable(writable)
    return await _told(request, eyes, await runs.begin(body))


@routes.add("POST /api/runs/{run}/pause", Right.CONTROL)
async def pause(request: web.Request, run: int, runs: Runs, eyes: Eyes) -> RunLine:
    """Let the turns in flight finish, and wait."""
    return await _told(request, eyes, await runs.pause(run))


@routes.add("POST /api/runs/{run}/resume", Right.CONTROL)
async def resume(request: web.Request, run: int, runs: Runs, eyes: Eyes, writable: bool) -> RunLine:
    """Go on with a run that was paused, stopped or failed."""
    check_writable(writable)
    return await _told(request, eyes, await runs.resume(run))


@routes.add("POST /api/runs/{run}/stop", Right.CONTROL)
async def stop(request: web.Request, run: int, runs: Runs, eyes: Eyes) -> RunLine:
    """Stop a run in order; it can go on later."""
    return await _told(request, eyes, await runs.stop(run))


async def _told(request: web.Request, eyes: Eyes, line: RunLine) -> RunLine:
    """As much of a run as whoever asks may know."""
    closed = [await eyes.is_closed(request, world) for world in line.worlds]
    return line.discreet if any(closed) else line


ROUTES = (*routes.routes, *worlds.routes.routes, *exams.routes.routes)
