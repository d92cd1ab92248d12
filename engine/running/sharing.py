"""What a run shares with the processes that play its chains beside it: the limits of its plan, and the list
of those who are at work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from typing import Any

from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.shared_budget import SharedBudget
from whoknew.engine.playing.spent import Cost, Spent
from whoknew.engine.running.workers import Attendance
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.stores.leases import Leases


class Sharing:
    """Of one run, as long as it plays into a log that several processes write."""

    def __init__(
        self, leases: Leases, program: Program, control: Control, limits: SharedLimits
    ) -> None:
        self.leases, self._program, self._control, self._limits = leases, program, control, limits
        self._attendance = Attendance(leases.workers, program, control)

    async def begin(self, spent: Iterable[tuple[str, Spent]]) -> None:
        """Keep the limits together with all others, whose chains have spent so much at least."""
        self._limits.slices = self.leases.slices
        limit = self._program.limit
        if (limit.calls, limit.tokens, limit.money) != (None, None, None):
            scope = hashlib.sha256("\n".join(self._program.worlds).encode()).hexdigest()[:32]
            self._control.budget = SharedBudget(self.leases.slices, scope, limit)
            await self._control.budget.known(spent)
        await self._attendance.say()

    def beats(self, heartbeat: float) -> Iterator[Coroutine[Any, Any, None]]:
        """What is renewed, given back and said, as long as it plays."""
        yield self._limits.beat()
        yield self._attendance.beat(lambda: len(self.leases.epochs))
        if self._control.budget is not None:
            yield self._control.budget.beat(heartbeat)

    def begin_chain(self, world: str, lost: Cost) -> None:
        if self._control.budget is not None:
            self._control.budget.begin(world, lost)

    async def end_chain(self, world: str) -> None:
        if self._control.budget is not None:
            with suppress(LogError):  # who takes it over says how it stands
                await self._control.budget.give_back(world)

    def watcher(
        self, world: str, watch: Callable[[Event | Draft], None], is_over: Callable[[], bool]
    ) -> Callable[[Event | Draft], None]:
        """Hears of what is written here, before whoever watches all."""
        return self._attendance.watcher(world, watch, is_over)

    async def end(self) -> None:
        with suppress(LogError):  # what is not given back runs out
            await self._limits.give_back()
        await self._attendance.leave()
