"""Seats taken in browsers: whoever sits down is bound to its character, and the game is not spoiled.

A cookie that no script can read binds a browser to its character in one world, and is the proof of
whose seat it is. While a seat of a world is taken, whoever comes without a token of its own is sent
the public part of that world and of those that share its past: dropping the cookie gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from aiohttp import web
from msgspec import Struct

from whoknew.engine.server.access import GUEST, Right, check_right
from whoknew.engine.server.answers import answer
from whoknew.engine.server.errors import RequestRefused, SeatTaken
from whoknew.engine.server.runs import Runs
from whoknew.engine.server.tokens import LASTS, Token, Tokens, lasting
from whoknew.eventlog import Log
from whoknew.eventlog.errors import NotFound
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened

COOKIE = "whoknew-seat-"
"""So begin the names of the cookies that prove whose a seat is. A browser may sit in several worlds, of
several servers on one machine: each has its own."""


class Seated(Struct, frozen=True, kw_only=True):
    """Whose seat a browser has in a world, until it leaves it, or then."""

    world: str
    character: str
    ends: datetime


class SeatGivenUp(Struct, frozen=True, kw_only=True):
    """Whose seat a browser has left."""

    world: str
    character: str


class Seating:
    def __init__(self, log: Log, tokens: Tokens, runs: Runs) -> None:
        self._log, self._tokens, self._runs = log, tokens, runs
        self.changed: list[Callable[[], None]] = []
        """Called when somebody has sat down or stood up, before that is answered. None can wait for
        anything: the seat is taken already, and its cookie is not yet on its way."""

    def bound(self, request: web.Request, world: str) -> Token | None:
        """Whose seat a request's browser has in a world."""
        return next((one for one in self._seats_of(request) if one.world == world), None)

    async def bound_alike(self, request: web.Request, world: str) -> Token | None:
        """The seat that a request's browser has in a world, or in one that shares its past: what
        it is told there it would know here."""
        if seat := self.bound(request, world):
            return seat
        if seats := self._seats_of(request):
            root = await self._root(world)
            alike = [seat for seat in seats if await self._root(seat.world) == root]
            return alike[0] if alike else None
        return None

    def is_bound(self, request: web.Request) -> bool:
        """Whether a request's browser has a seat anywhere."""
        return bool(self._seats_of(request))

    def any_taken(self) -> bool:
        return any(token.seat for token in self._tokens.all())

    async def taken(self, world: str) -> frozenset[str]:
        """Whose seats are taken, in a world or in one that shares its past."""
        seats = [token for token in self._tokens.all() if token.seat]
        if not seats:
            return frozenset()
        root = await self._root(world)
        return frozenset([one.character for one in seats if await self._root(one.world) == root])

    async def sit(self, request: web.Request, world: str, who: str) -> web.Response:
        """Take a character's seat: from then on the browser is sent what that one perceives."""
        check_right(request[GUEST], Right.CONTROL)
        await self._log.view(world, who)
        seat = await self.bound_alike(request, world)
        if seat is not None and seat.character != who:
            where = (
                "here" if seat.world == world else f"in {seat.world!r}, which has the same past,"
            )
            raise SeatTaken(f"you sit {where} as {seat.character}: leave that seat first")
        if seat is not None and seat.world == world:
            return answer(Seated(world=world, character=who, ends=seat.ends))
        self._check_free(world, who)
        given = self._tokens.give(world, who, seat=True)
        response = answer(Seated(world=world, character=who, ends=given.ends))
        response.set_cookie(
            COOKIE + given.id,
            given.token,
            max_age=int(lasting(LASTS).total_seconds()),
            httponly=True,
            samesite="Strict",
            secure=request.secure,
        )
        self._tell()
        return response

    async def stand(self, request: web.Request, world: str) -> web.Response:
        """Leave the seat; not in the middle of an episode that is being played."""
        seat = self.bound(request, world)
        if seat is None:
            raise RequestRefused("you have no seat here to leave")
        if self._runs.people(world) is not None and await self._is_open(world):
            raise SeatTaken(
                "the episode is going on: leave your seat when it is over, or pause its run first"
            )
        self._tokens.revoke(seat.id)
        response = answer(SeatGivenUp(world=world, character=seat.character))
        response.del_cookie(COOKIE + seat.id)
        self._tell()
        return response

    def _seats_of(self, request: web.Request) -> list[Token]:
        cookies = [text for name, text in request.cookies.items() if name.startswith(COOKIE)]
        found = [self._tokens.find(text) for text in cookies]
        return [one for one in found if one is not None and one.seat]

    def _check_free(self, world: str, who: str) -> None:
        seats = [token for token in self._tokens.all() if token.seat]
        if any((one.world, one.character) == (world, who) for one in seats):
            raise SeatTaken(f"the seat of {who} is taken: `whoknew token ls` says until when")
        people = self._runs.people(world)
        if people is None:
            raise SeatTaken(
                f"nobody plays {world!r}, and {who} would wait for ever: begin its run, or go on "
                f"with it, with {who} among the `seats` for people, and then take the seat. Where "
                "all is played, fork it, and play the fork"
            )
        if who not in people:
            free = ", ".join(people) or "nobody"
            raise SeatTaken(f"{who} is played by a machine: people have the seats of {free}")

    def _tell(self) -> None:
        for told in self.changed:
            told()

    async def _is_open(self, world: str) -> bool:
        marked = await self._log.landmarks(world, (await self._log.lineage.find(world)).head)
        kinds = [one.body for one in marked if isinstance(one.body, EpisodeOpened | EpisodeClosed)]
        return bool(kinds) and isinstance(kinds[-1], EpisodeOpened)

    async def _root(self, world: str) -> str:
        """The world that a fork, or a fork of a fork, goes back to."""
        while True:
            try:
                parent = (await self._log.lineage.find(world)).parent
            except NotFound:
                return world
            if parent is None:
                return world
            world = parent
