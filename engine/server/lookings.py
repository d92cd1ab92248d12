"""Tellings that are looked for in worlds, beside the requests."""

from __future__ import annotations

import asyncio

from whoknew.engine.server.errors import NameTaken
from whoknew.engine.server.runs import Runs
from whoknew.engine.server.tasks import Tasks
from whoknew.engine.travel.tellings import NOT_LOOKED, look
from whoknew.eventlog import Log

PATIENCE = 10.0
"""Seconds that whoever asks is kept waiting, before being told that it is still looked for."""


class Looking:
    """In one world: how far it has come, and what came of it."""

    def __init__(self) -> None:
        self.upto, self.head = 0, 0
        self.came = NOT_LOOKED
        self.task: asyncio.Task[None]

    def reach(self, upto: int, head: int) -> None:
        self.upto, self.head = upto, head


class Lookings:
    """Those of a server. A world is looked through by one at a time, however many ask for it, and one
    world after another; and it is not played meanwhile."""

    def __init__(self, log: Log, runs: Runs) -> None:
        self._log, self._runs = log, runs
        self.one_by_one = asyncio.Lock()
        """Held by whoever looks."""
        self._tasks = Tasks()
        self._going: dict[str, Looking] = {}

    def at(self, world: str) -> Looking | None:
        """The one that goes on in a world."""
        return self._going.get(world)

    async def look(self, world: str) -> Looking:
        """Look through a world, or join who does; and wait for the end of it, as long as one waits for
        an answer."""
        looking = self._going.get(world) or await self._begin(world)
        await asyncio.wait([looking.task], timeout=PATIENCE)
        if looking.task.done() and not looking.task.cancelled():
            looking.task.result()
        return looking

    async def _begin(self, world: str) -> Looking:
        head = (await self._log.lineage.find(world)).head
        if world in self._going:
            return self._going[world]
        if self._runs.people(world) is not None:
            raise NameTaken(f"{world!r} is being played: pause or stop its run first")
        looking = self._going[world] = Looking()
        looking.head = head
        self._runs.looked_through.add(world)
        looking.task = self._tasks.begin(self._look(world, looking), f"tellings of {world}")
        looking.task.add_done_callback(lambda _: self._over(world))
        return looking

    async def _look(self, world: str, looking: Looking) -> None:
        async with self.one_by_one:
            looking.came = await look(self._log, world, looking.reach)

    def _over(self, world: str) -> None:
        del self._going[world]
        self._runs.looked_through.discard(world)

    async def close(self) -> None:
        """None goes on. What was found is on the log, and the next one goes on from there."""
        await self._tasks.close()
