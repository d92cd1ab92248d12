"""What a run shares with the processes that play its chains beside it, or a sitting with those that sit the
same exam: the limits of the plan, and the list of those who are at work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from typing import Any, Self

from msgspec import Struct

from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.engine.plan.plan import Limit
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.shared_budget import SharedBudget
from whoknew.engine.playing.spent import Cost, Spent
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.workers import Attendance, plan_of
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.stores.leases import Leases


class SharedPlan(Struct, frozen=True, kw_only=True):
    """What several processes do together: a `plan` in a few signs, the `worlds` that they write, and the
    limit that holds for all of them."""

    plan: str
    worlds: tuple[str, ...]
    limit: Limit
    seats: tuple[str, ...] = ()
    """For people, at any server of the log."""

    @classmethod
    def of(cls, program: Program) -> Self:
        return cls(plan=plan_of(program), worlds=program.worlds, limit=program.limit)


class Sharing:
    """Of one run or sitting, as long as it writes into a log that several processes write."""

    def __init__(
        self, leases: Leases, shared: SharedPlan, control: Control, limits: SharedLimits
    ) -> None:
        self.leases, self._shared, self._control, self._limits = leases, shared, control, limits
        self._attendance = Attendance(
            leases.workers, shared.plan, shared.worlds, control, shared.seats
        )

        self._begun = set[str]()
        """What is played here now: a process may have other runs beside this one."""

    @property
    def done(self) -> Tally:
        """What was done here."""
        return self._attendance.done

    def finished(self, number: int) -> None:
        """So many more were done to their end here."""
        self._attendance.finished += number

    async def begin(self, spent: Iterable[tuple[str, Spent]]) -> None:
        """Keep the limits together with all others, whose chains have spent so much at least."""
        await self._attendance.begin()
        self._limits.slices = self.leases.slices
        limit = self._shared.limit
        if limit.counts_calls:
            scope = hashlib.sha256("\n".join(self._shared.worlds).encode()).hexdigest()[:32]
            self._control.budget = SharedBudget(self.leases.slices, scope, limit)
            await self._control.budget.known(spent)

    def beats(self, heartbeat: float) -> Iterator[Coroutine[Any, Any, None]]:
        """What is renewed, given back and said, as long as it plays."""
        yield self._limits.beat()
        yield self._attendance.beat(lambda: len(self._begun))
        if self._control.budget is not None:
            yield self._control.budget.beat(heartbeat)

    def begin_chain(self, world: str, lost: Cost) -> None:
        self._begun.add(world)
        if self._control.budget is not None:
            self._control.budget.begin(world, lost)

    async def end_chain(self, world: str) -> None:
        self._begun.discard(world)
        if self._control.budget is not None:
            with suppress(LogError):  # who takes it over says how it stands
                await self._control.budget.give_back(world)

    async def over(self, world: str) -> None:
        """It is played to its end: nobody is asked there any more."""
        if self._shared.seats:
            with suppress(LogError):  # such a row is read by nobody who plays it
                await self.leases.turns.forget([world])

    def watcher(
        self, world: str, watch: Callable[[Event | Draft], None], is_over: Callable[[], bool]
    ) -> Callable[[Event | Draft], None]:
        """Hears of what is written here, before whoever watches all."""
        return self._attendance.watcher(world, watch, is_over)

    async def end(self) -> None:
        with suppress(LogError):  # what is not given back runs out
            await self._limits.give_back()
        await self._attendance.leave()
