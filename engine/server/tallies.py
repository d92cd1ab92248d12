"""The tallies of worlds, kept so that each goes on where it was when it is asked again."""

from __future__ import annotations

import asyncio

from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq


class Tallies:
    def __init__(self) -> None:
        self._known: dict[str, tuple[int, Tally]] = {}
        """Each with the seq up to which it counts."""
        self._one_at_a_time = asyncio.Lock()

    async def of(self, log: Log, world: str, upto: int) -> Tally:
        async with self._one_at_a_time:
            seq, known = self._known.get(world, (0, Tally()))
            tally = known.copy()
            async for event in log.read(world, AtSeq(seq), AtSeq(upto)):
                tally.take(event)
            self._known[world] = upto, tally
            return tally
