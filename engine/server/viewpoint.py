"""Through whose eyes a request sees a world: every route and every stream asks here."""

from __future__ import annotations

from collections.abc import Iterable

from aiohttp import web

from whoknew.engine.server.access import GUEST, Access, Guest, Right, token_of
from whoknew.engine.server.character_view import Own, Owns
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.seating import Seating
from whoknew.eventlog import Log

LOOKS = 0.5
"""Seconds within which a stream ends whose token another server has taken back: a thousand viewers ask for
one look at the database."""


class Eyes:
    def __init__(self, log: Log, access: Access, seating: Seating) -> None:
        self._owns, self._access, self._seating = Owns(log), access, seating

    def guest(self, request: web.Request) -> Guest:
        """Who asks: by its token; without one, whoever sits in a seat comes as its character."""
        token = token_of(request)
        guest = self._access.guest(token)
        if token is not None or guest.right > Right.NOTHING:
            return guest
        return self._seating.seated(request, request.match_info.get("world"))

    async def own(self, request: web.Request, world: str, who: str | None) -> Own | None:
        """All that a request may see of a world, where that is what a character perceived of it, or
        its public part; nothing, where it sees as the director. `who` is as whom it asks."""
        guest: Guest = request[GUEST]
        if guest.right == Right.VIEW:
            if world != guest.world or who not in (None, guest.character):
                raise RequestRefused(
                    "this token shows another view"
                )  # whether or not there is such a one
            return await self._owns.of(world, guest.character or "")
        if seat := self._seating.bound(request, world):
            if who not in (None, seat.character):
                raise RequestRefused(f"you sit here as {seat.character}: leave the seat first")
            return await self._owns.of(world, seat.character)
        if not await self.is_closed(request, world):
            return None
        if who is not None:
            raise RequestRefused("a seat of this world is taken: come with a token, or take a seat")
        return await self._owns.public(world, await self._seating.taken(world))

    async def of(self, world: str, who: str) -> Own:
        """What a character perceived of a world."""
        return await self._owns.of(world, who)

    async def still(
        self, request: web.Request, world: str, who: str | None, source: object
    ) -> bool:
        """Whether a request of a while ago is still to be sent what it is."""
        await self._access.tokens.refresh(within=LOOKS)
        if self.guest(request) != request[GUEST]:
            return False
        try:
            own = await self.own(request, world, who)
        except RequestRefused:
            return False
        sent = source.key if isinstance(source, Own) else None
        return (own.key if own else None) == sent

    async def is_closed(self, request: web.Request, world: str) -> bool:
        """Whether a request may not see all of a world."""
        return bool(await self.closed(request, [world]))

    async def closed(self, request: web.Request, worlds: Iterable[str]) -> frozenset[str]:
        """Of these worlds those of which a request may not see all."""
        return await self._seating.closed(request, worlds, known=request[GUEST].known)

    def is_any_closed(self, request: web.Request) -> bool:
        """Whether a request may not see all of some world."""
        if self._seating.is_bound(request):
            return True
        return not request[GUEST].known and self._seating.any_taken()
