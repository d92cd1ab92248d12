"""Through whose eyes a request sees a world: every route and every stream asks here."""

from __future__ import annotations

from aiohttp import web

from whoknew.engine.server.access import GUEST, Guest, Right
from whoknew.engine.server.errors import Refused
from whoknew.engine.server.own import Own, Owns
from whoknew.eventlog import Log


class Eyes:
    def __init__(self, log: Log) -> None:
        self._owns = Owns(log)

    async def own(self, request: web.Request, world: str, who: str | None) -> Own | None:
        """All that a request may see of a world, where that is what a character perceived of it;
        nothing, where it sees as the director. `who` is as whom it asks."""
        guest: Guest = request[GUEST]
        if guest.right != Right.VIEW:
            return None
        if world != guest.world or who not in (None, guest.character):
            raise Refused("this token shows another view")  # whether or not there is such a one
        return await self._owns.of(world, guest.character or "")
