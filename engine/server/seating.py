"""Seats taken in browsers: whoever sits down is bound to its character, and the game is not spoiled.

A cookie that no script can read binds a browser to its character in one world, and is the proof of
whose seat it is. While a seat of a world is taken, whoever comes without a token of its own is sent
the public part of that world and of those that share its past: dropping the cookie gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.server.access import GUEST, NOBODY, Guest, Right, check_right, token_of
from whoknew.engine.server.answers import answer
from whoknew.engine.server.errors import NoSuchToken, RequestRefused, SeatTaken
from whoknew.engine.server.runs import RunLine, Runs
from whoknew.engine.server.seat import Seats
from whoknew.engine.server.tokens import Given, Token, Tokens
from whoknew.engine.server.workforce import Workforce
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


class SeatLine(Struct, frozen=True, kw_only=True):
    """A seat for a person. Whether it is waited for is told to whoever may see all of its world."""

    character: str
    taken: bool
    waits: bool | None


class Seating:
    def __init__(
        self, log: Log, tokens: Tokens, runs: Runs, seats: Seats, workforce: Workforce
    ) -> None:
        self._log, self._tokens, self._runs = log, tokens, runs
        self._seats, self._workforce = seats, workforce
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
        return bool(self._taken())

    async def closed(
        self, request: web.Request, worlds: Iterable[str], *, known: bool
    ) -> frozenset[str]:
        """Of these worlds those in which a request's browser has a seat, or in one that shares the
        past; and, where it comes without a token of its own, those in which anybody has."""
        seats = self._seats_of(request) + ([] if known else self._taken())
        roots = {await self._root(world) for world in {one.world for one in seats}}
        if not roots:
            return frozenset()
        return frozenset([world for world in worlds if await self._root(world) in roots])

    async def taken(self, world: str) -> frozenset[str]:
        """Whose seats are taken, in a world or in one that shares its past."""
        seats = self._taken()
        if not seats:
            return frozenset()
        root = await self._root(world)
        return frozenset([one.character for one in seats if await self._root(one.world) == root])

    async def seats(self, world: str, *, openly: bool) -> tuple[SeatLine, ...] | None:
        """The seats for people of a world, while it is played."""
        people = await self._people(world)
        if people is None:
            return None
        await self._seats.look()
        waits = self._seats.awaited(world)
        taken = self._taken_in([world])
        return tuple(
            SeatLine(character=who, taken=who in taken, waits=who in waits if openly else None)
            for who in people
        )

    async def is_played(self, world: str) -> bool:
        """Whether anybody plays a world now, here or in another process."""
        return await self._people(world) is not None

    async def _people(self, world: str) -> tuple[str, ...] | None:
        """Whose seats are for people, while a world is being played: here, or by another process."""
        people = self._runs.people(world)
        return await self._workforce.people(world) if people is None else people

    async def _goes_on(self, world: str) -> bool:
        """Whether a world is being played, here or by another process, and nobody has paused that."""
        return await self._people(world) is not None and not await self._workforce.pauses(world)

    def free(self, line: RunLine) -> RunLine:
        """A run with those of its seats that nobody has taken."""
        taken = self._taken_in(line.worlds) if line.seats else ()
        return replace(line, free=tuple(who for who in line.seats if who not in taken))

    def _taken_in(self, worlds: Collection[str]) -> set[str]:
        return {one.character for one in self._taken() if one.world in worlds}

    def _taken(self) -> list[Token]:
        return [token for token in self._tokens.all() if token.seat]

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
        await self._check_free(world, who)
        return self._sat(request, await self._tokens.give(world, who, seat=True))

    def seated(self, request: web.Request, world: str | None) -> Guest:
        """Whoever asks by the seat that its browser has, in a world or anywhere."""
        for seat in self._seats_of(request):
            if world in (None, seat.world):
                return Guest(Right.VIEW, seat.world, seat.character, known=True)
        return NOBODY

    async def invite(self, world: str, who: str, lasts: str) -> Given:
        """An invitation to a seat that is free, and for a person."""
        await self._log.view(world, who)
        await self._check_free(world, who)
        return await self._tokens.invite(world, who, lasts)

    async def uninvite(self, world: str, invitation: str) -> Token:
        """Take it back: only who gave it knows its id."""
        if not any(one.id == invitation and one.world == world for one in self._tokens.all()):
            raise NoSuchToken(f"there is no invitation {invitation[:40]!r} to a seat of {world!r}")
        return await self._tokens.revoke(invitation)

    async def accept(self, request: web.Request) -> web.Response:
        """Take the seat that a request is invited to."""
        guest = request[GUEST]
        if guest.right != Right.SIT or guest.world is None or guest.character is None:
            raise RequestRefused("this is for whoever comes with an invitation")
        world, who = guest.world, guest.character
        seat = await self.bound_alike(request, world)
        if seat is not None:
            raise SeatTaken(f"you sit in {seat.world!r} as {seat.character}: leave that seat first")
        if who in self._taken_in([world]):
            raise SeatTaken(f"somebody else has taken the seat of {who} meanwhile")
        given = await self._tokens.accept(token_of(request) or "")
        if given is None:
            raise SeatTaken("somebody has come with this invitation already: ask for another")
        return self._sat(request, given)

    def _sat(self, request: web.Request, given: Given) -> web.Response:
        """The browser gets its seat as a cookie that no script can read."""
        response = answer(Seated(world=given.world, character=given.character, ends=given.ends))
        response.set_cookie(
            COOKIE + given.id,
            given.token,
            max_age=max(1, int(self._tokens.left(given).total_seconds())),
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
        if await self._goes_on(world) and await self._is_open(world):
            raise SeatTaken(
                "the episode is going on: leave your seat when it is over, or while its run is paused"
            )
        await self._tokens.revoke(seat.id)
        response = answer(SeatGivenUp(world=world, character=seat.character))
        response.del_cookie(COOKIE + seat.id)
        self._tell()
        return response

    def _seats_of(self, request: web.Request) -> list[Token]:
        cookies = [text for name, text in request.cookies.items() if name.startswith(COOKIE)]
        return [one for one in self._tokens.among(cookies) if one.seat] if cookies else []

    async def _check_free(self, world: str, who: str) -> None:
        if who in self._taken_in([world]):
            raise SeatTaken(f"the seat of {who} is taken: `whoknew token ls` says until when")
        people = await self._people(world)
        if people is None:
            raise SeatTaken(
                f"nobody plays {world!r}, and {who} would wait for ever: begin its run, or go on "
                f"with it, with {who} among the `seats` for people, and then take the seat. Where "
                "all is played, fork it, and play the fork"
            )
        if who not in people:
            free = ", ".join(people) or "nobody"
            here = self._runs.people(world) is not None
            by = "" if here else ", or by somebody at the terminal of another process"
            raise SeatTaken(f"{who} is played by a machine{by}: people have the seats of {free}")

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
