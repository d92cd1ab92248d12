"""What a world has come to in figures: a fold that goes on where it was when it is asked again."""

from __future__ import annotations

import asyncio
from copy import copy

from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Called, Failed


class Tally:
    """Of the first `upto` events. Money is None where the price of a call is not known."""

    def __init__(self) -> None:
        self.upto = self.turns = self.calls = self.failures = 0
        self.money: float | None = 0.0
        self.last = ""


class Tallies:
    def __init__(self) -> None:
        self._known: dict[str, Tally] = {}
        self._one_at_a_time = asyncio.Lock()

    async def of(self, log: Log, world: str, upto: int) -> Tally:
        async with self._one_at_a_time:
            tally = copy(self._known.get(world) or Tally())
            async for event in log.read(world, AtSeq(tally.upto), AtSeq(upto)):
                tally.upto = event.seq
                match event.body:
                    case Called() as called:
                        tally.calls += 1
                        tally.failures += called.reply is None
                        if called.money is None and called.reply is not None:
                            tally.money = None
                        elif tally.money is not None:
                            tally.money += called.money or 0.0
                    case Acted(text):
                        tally.turns += 1
                        tally.last = f"{event.actor}: {text}" if text else tally.last
                    case Failed():
                        tally.failures += 1
            self._known[world] = tally
            return tally
