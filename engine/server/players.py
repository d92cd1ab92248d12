"""What people who play ask of a server: which worlds can be played, whose seats are for people, taking
one and leaving it, who one is."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from datetime import datetime
from functools import cache

from aiohttp import web
from msgspec import Struct

from whoknew.engine.errors import EngineError
from whoknew.engine.plan.planned import plan_of
from whoknew.engine.server.access import Guest, Right, check_writable
from whoknew.engine.server.character_view import Own
from whoknew.engine.server.errors import BadRequest, RequestRefused
from whoknew.engine.server.payloads import SeatState, Short
from whoknew.engine.server.routes import API, WORLD, RouteTable
from whoknew.engine.server.seating import Seated, SeatGivenUp, Seating, SeatLine
from whoknew.engine.server.selves import OwnSelf, Selves
from whoknew.engine.server.tokens import LASTS, Token
from whoknew.engine.server.viewpoint import Eyes
from whoknew.engine.travel.replay import facts_of
from whoknew.eventlog import Log
from whoknew.eventlog.errors import Damaged
from whoknew.worlds.shelf import bundled, find

routes = RouteTable()


class ShelfLine(Struct, frozen=True, kw_only=True):
    """A world that comes with Whoknew, and can be played."""

    name: str
    title: str
    characters: tuple[str, ...]


class SeatsShown(Struct, frozen=True, kw_only=True):
    """Whether somebody plays a world; and to whoever may change things its seats for people meanwhile.
    To whoever may see all of the world its characters are named, too: where nobody plays it, those
    first whom people play by its plan."""

    playing: bool
    seats: tuple[SeatLine, ...]
    characters: tuple[str, ...]


@routes.add(f"GET {API}/shelf")
async def list_shelf() -> tuple[ShelfLine, ...]:
    """The worlds that come with Whoknew, with their characters."""
    return _shelf()


@cache
def _shelf() -> tuple[ShelfLine, ...]:
    settings = [(name, find(name)) for name in bundled()]
    return tuple(
        ShelfLine(name=name, title=one.title, characters=tuple(who.name for who in one.characters))
        for name, one in settings
    )


@routes.add(f"GET {WORLD}/seats", shared=True)
async def list_seats(
    name: str, guest: Guest, own: Own | None, log: Log, seating: Seating
) -> SeatsShown:
    """Whether the world is played. To whoever may change things also whose seats are for people, which
    of them are taken, and who is waited for."""
    if guest.right < Right.CONTROL:
        return SeatsShown(playing=await seating.is_played(name), seats=(), characters=())
    seats = await seating.seats(name, openly=own is None)
    characters = await _characters(log, name, by_plan=seats is None) if own is None else ()
    return SeatsShown(playing=seats is not None, seats=seats or (), characters=characters)


async def _characters(log: Log, world: str, *, by_plan: bool) -> tuple[str, ...]:
    """All of a world; `by_plan` those first whom people play by its plan, for with others it would not
    go on."""
    head = (await log.lineage.find(world)).head
    characters = (await facts_of(log, world, head)).characters
    if by_plan:
        with suppress(EngineError, Damaged):  # no plan, or none that can be read here
            plan = (await plan_of(log, world, head))[0].plan
            return tuple(sorted(characters, key=lambda who: not plan.seat(who).by_person))
    return characters


@routes.add(f"POST {WORLD}/seats", Right.CONTROL, result=Seated, shared=True)
async def take_seat(
    request: web.Request, name: str, body: SeatState, seating: Seating, writable: bool
) -> web.Response:
    """Take a character's seat in this browser: it is sent what that one perceives, and acts."""
    check_writable(writable)
    return await seating.sit(request, name, body.character)


class Invite(Struct, frozen=True, rename={"lasts": "for"}):
    """An invitation to a seat; `for` is how long it and the seat last, as 30m, 12h or 7d. `address` is
    where whoever is invited reaches this server, if not where this request did."""

    character: Short
    lasts: Short = LASTS
    address: Short | None = None


class Invited(Struct, frozen=True, kw_only=True):
    """An invitation, told this once: a link to open, and the same as a picture (a QR code, as a data
    URI). What follows `#` in the link is sent to no server, and stands in the log of none."""

    id: str
    world: str
    character: str
    ends: datetime
    link: str
    picture: str


@routes.add(f"POST {WORLD}/invitations", Right.CONTROL, shared=True)
async def invite_player(
    request: web.Request, name: str, body: Invite, seating: Seating, writable: bool
) -> Invited:
    """Invite somebody to a seat that is free: by a link that is good for that seat alone, once."""
    check_writable(writable)
    address = body.address or f"{request.scheme}://{request.host}"
    if not re.fullmatch(r"https?://[^\s/?#]+", address):
        raise BadRequest(f"{address[:80]!r} is no address of a server: http://HOST or https://HOST")
    given = await seating.invite(name, body.character, body.lasts)
    link = f"{address}/#invite={given.token}"
    return Invited(
        id=given.id,
        world=given.world,
        character=given.character,
        ends=given.ends,
        link=link,
        picture=await asyncio.to_thread(_drawn, link),
    )


def _drawn(link: str) -> str:
    import segno  # needed by whoever invites somebody, and by nobody else

    return segno.make_qr(link).svg_data_uri(scale=5, light="white")


@routes.add(f"POST {API}/seats", Right.SIT, result=Seated)
async def accept_invitation(request: web.Request, seating: Seating) -> web.Response:
    """Take the seat to which the token that comes along is an invitation."""
    return await seating.accept(request)


@routes.add(f"DELETE {WORLD}/seats", Right.VIEW, result=SeatGivenUp, shared=True)
async def leave_seat(request: web.Request, name: str, seating: Seating) -> web.Response:
    """Leave the seat that this browser has."""
    return await seating.stand(request, name)


class SelfQuery(Struct, frozen=True, rename={"who": "as"}):
    who: Short | None = None


@routes.add(f"DELETE {WORLD}/invitations/{{invitation}}", Right.CONTROL, shared=True)
async def revoke_invitation(name: str, invitation: str, seating: Seating) -> Token:
    """Take an invitation back, by its id, or the seat that somebody took with it."""
    return await seating.uninvite(name, invitation)


@routes.add(f"GET {WORLD}/self", shared=True)
async def get_self(
    request: web.Request, name: str, query: SelfQuery, own: Own | None, eyes: Eyes, selves: Selves
) -> OwnSelf:
    """Who a character is, what it wants, where it is and who is there, as far as it knows."""
    if own is None and not query.who:
        raise RequestRefused("say who: ?as=NAME")
    return await selves.of(own or await eyes.of(name, query.who or ""))
