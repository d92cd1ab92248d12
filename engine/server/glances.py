"""Worlds at a glance. What was counted of each is kept: asked again, it goes on where it was."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from whoknew.engine.plan.planned import written
from whoknew.engine.playing.tally import Tally
from whoknew.engine.server.payloads import WorldLine, WorldsQuery
from whoknew.engine.server.routes import CountedRows
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import Damaged, NoSuchWorld
from whoknew.eventlog.kinds import Planned

SOME = 160
"""Letters of what was said last."""


class Glances:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._tallies: dict[str, tuple[int, Tally]] = {}
        """Each with the seq up to which it counts."""
        self._lines: dict[str, WorldLine] = {}
        self._plans: dict[str, str] = {}
        self._one_at_a_time = asyncio.Lock()

    async def worlds(self, query: WorldsQuery) -> CountedRows[WorldLine]:
        """The newest worlds of the log, in the order in which they began; or those before one. Of
        those that stand as they did nothing is read."""
        there = await self._log.worlds()
        total = len(there)
        if query.before is not None:
            names = [one.name for one in there]
            if query.before not in names:
                raise NoSuchWorld(query.before, names)
            there = there[: names.index(query.before)]
        lines: list[WorldLine] = []
        for one in there[-query.limit :]:
            line = self._lines.get(one.name)
            if line is None or line.head != one.head:
                line = self._lines[one.name] = await self._line(one.name, one.head, one.parent)
            lines.append(line)
        return CountedRows(tuple(lines), total)

    async def _line(self, name: str, head: int, parent: str | None) -> WorldLine:
        tally = await self._tally(name, head)
        return WorldLine(
            name=name,
            title=tally.title or name,
            head=head,
            parent=parent,
            characters=len(tally.characters),
            episodes=tally.opened,
            closed=tally.closed,
            turns=tally.turns,
            calls=tally.spent.calls,
            failures=tally.failures,
            money=tally.money,
            last=tally.said[:SOME],
            recorded=tally.last,
            origin=tally.origin or "played",
            plan=await self._plan(name, head),
            why=" ".join(tally.why.split())[:SOME],
        )

    async def _plan(self, name: str, head: int) -> str:
        """All chains of a run have one plan: it is read once."""
        if name not in self._plans:
            landmarks = await self._log.landmarks(name, head)
            first = next((one.body for one in landmarks if isinstance(one.body, Planned)), None)
            if first is None:
                return ""
            self._plans[name] = await asyncio.to_thread(_plan_name, first.content)
        return self._plans[name]

    async def _tally(self, world: str, upto: int) -> Tally:
        async with self._one_at_a_time:
            seq, known = self._tallies.get(world, (0, Tally()))
            tally = known.copy()
            async for event in self._log.read(world, AtSeq(seq), AtSeq(upto)):
                tally.take(event)
            self._tallies[world] = upto, tally
            return tally


@lru_cache(64)
def _plan_name(content: bytes) -> str:
    """Nothing, where it is none that can be read: that is said to whoever asks for what stands in it."""
    try:
        plan = written(Planned(content), "a world").plan
    except Damaged:
        return ""
    return plan.name or plan.world
