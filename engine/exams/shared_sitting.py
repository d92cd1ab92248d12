"""What a sitting has in common with others that sit the same exam beside it: its limits, what each shard has
spent of them, and the list of those who are at work."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Iterator
from typing import Any

from msgspec.structs import replace

from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.started_calls import StartedCalls
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.state import ChainState
from whoknew.engine.running.sharing import SharedPlan, Sharing
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.stores.leases import Leases


class SharedSitting:
    """Of one sitting, as long as it sits. What it plays in `scenes`, worlds beside that of the exam, its run
    counts: each is a shard."""

    def __init__(
        self,
        leases: Leases,
        log: ExamLog,
        exam: LoadedExam,
        control: Control,
        limits: SharedLimits,
        scenes: Collection[str] = (),
    ) -> None:
        self.leases, self._log, self._scenes = leases, log, scenes
        shared = SharedPlan(plan=exam.known_as, worlds=(exam.plan.name,), limit=exam.plan.limit)
        self.sharing = Sharing(leases, shared, control, limits)
        self._limited = exam.plan.limit.counts_calls
        self._calls, self._read, self._reading = StartedCalls(), 0, asyncio.Lock()
        self._states: dict[str, ChainState] = {}

    async def begin(self) -> None:
        await self._catch_up()
        spent = {lease or self._log.world: one for lease, one in self._calls.spent.items()}
        there = {one.name for one in await self._log.log.worlds()} if self._limited else ()
        for scene in self._scenes:
            if scene in there:
                played = await self._spent_in(scene)
                played.join(spent.get(scene, Spent()))
                spent[scene] = played
        await self.sharing.begin(spent.items())

    def beats(self, heartbeat: float) -> Iterator[Coroutine[Any, Any, None]]:
        """What is renewed, given back and said, as long as it sits."""
        return self.sharing.beats(heartbeat)

    def state(self, lease: str) -> ChainState:
        """What a shard has spent, as long as this process has it: of a scene, on what judges say of it."""
        return self._states.setdefault(lease, ChainState())

    async def begin_shard(self, lease: str) -> None:
        """This process has it from now on: so much was spent on it by all who had it before."""
        await self._catch_up()
        self.state(lease).tally.spent = replace(self._calls.spent.get(lease, Spent()))
        self.sharing.begin_chain(lease, self._calls.lost(lease))

    async def played(self, scene: str) -> None:
        """What comes now of a shard comes on top of what was spent on its scene."""
        if self._limited:
            self.state(scene).spent.join(await self._spent_in(scene))

    async def end_shard(self, lease: str, *, over: bool) -> None:
        await self.sharing.end_chain(lease)
        self._states.pop(lease, None)
        self.sharing.finished(over and not self._scenes)

    def called(self, lease: str, called: Called) -> None:
        """A call of a shard is on the log."""
        self.state(lease).spent.add(called)
        self.sharing.done.take(Draft(called))

    def worked(self) -> None:
        """A piece of work is done."""
        self.sharing.done.turns += not self._scenes

    async def end(self) -> None:
        await self.sharing.end()

    async def _catch_up(self) -> None:
        """Read what was written since: only where it matters what calls took."""
        if not self._limited:
            return
        async with self._reading:
            async for event in self._log.read(self._read):
                self._calls.take(event)
                self._read = event.seq

    async def _spent_in(self, scene: str) -> Spent:
        spent = Spent()
        async for event in self._log.log.read(scene):
            if isinstance(event.body, Called) and event.cause is None:
                spent.add(event.body)
        return spent
