"""What can stop a run in order: somebody who asks, a limit, a place that is gone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Literal

from msgspec import Struct

from whoknew.engine.errors import Suspended
from whoknew.engine.plan.plan import NO_LIMIT, Limit
from whoknew.engine.playing.shared_budget import SharedBudget
from whoknew.engine.playing.spent import Spent

FEWEST = 10
"""Of fewer tries no share is taken while a run goes on: the first may fail by chance."""


LOOK = 0.2
"""Seconds after which somebody who waits sees that it is to stop."""


class Flight(Struct, frozen=True, eq=False):
    """A call that is under way: one like it is another."""

    world: str
    who: str
    model: str
    since: datetime


class Control:
    """One for a run. `check` is asked before each turn and each call."""

    def __init__(
        self,
        limit: Limit = NO_LIMIT,
        spent: Spent | None = None,
        clock: Callable[[], float] = monotonic,
        *,
        may_fail: float = 1.0,
    ) -> None:
        """`may_fail` is the share of what is tried in this start that may fail."""
        self.limit, self._clock = limit, clock
        self.spent = spent or Spent()
        self._begun = clock()
        self.reason: str | None = None
        self._may_fail = may_fail
        self._tried, self._failed = Counter[str](), Counter[str]()
        self.flights = set[Flight]()
        """The calls that a stop waits for."""
        self.stopping = list[Callable[[str], None]]()
        """Told why, as soon as it is to stop: whoever waits for somebody."""
        self.retried: dict[str, str] = {}
        """The models of which a call failed for now and is made again; why it did last."""
        self.paused = False
        """Whether all who play its plan are to begin no turn, until they are told to go on."""
        self.lost: dict[str, Exception] = {}
        """The worlds that another process plays by now: nothing more is asked for them."""
        self.budget: SharedBudget | None = None
        """What keeps the limit of a run together with other processes; None where this plays alone."""
        self._landing: asyncio.Event | None = None
        """Set at the next landing; there only while somebody waits for it."""

    def landed(self) -> None:
        """A call is on the log: who waited to see what it took looks again."""
        if self._landing is not None:
            self._landing.set()
            self._landing = None

    async def landing(self) -> None:
        """Wait for the next call to be on the log."""
        if self._landing is None:
            self._landing = asyncio.Event()
        await self._landing.wait()

    def made_again(self, model: str, why: str) -> None:
        """A call failed for now: whoever watches is told what is waited for. Without a `why` it was
        answered since."""
        if why:
            self.retried[model] = why
        else:
            self.retried.pop(model, None)

    async def going_on(self, lease: str = "") -> None:
        """Wait for as long as it is paused, and not to stop; nor for what another process has by now."""
        while self.paused and self.reason is None and lease not in self.lost:  # noqa: ASYNC110
            await asyncio.sleep(LOOK)  # what ends it comes from three sides, and is looked at

    async def pause(self, seconds: float) -> None:
        """Wait until a call is made again; Suspended if it is to stop meanwhile: who is not there is not
        waited for."""
        while seconds > 0:
            if self.reason is not None:
                raise Suspended(self.reason)
            await asyncio.sleep(min(seconds, LOOK))
            seconds -= LOOK

    def stop(self, reason: str) -> None:
        """Let the turns in flight finish, and begin no more. The first reason stands."""
        if self.reason is None:
            self.reason = reason
            for told in self.stopping:
                told(reason)

    def count(self, what: str, tried: int, failed: int) -> None:
        """So many turns or reviews were tried, and so many of them could not be had."""
        self._tried[what] += tried
        if failed:
            self._failed[what] += failed

    def failing(self, fewest: int = 1) -> str | None:
        """What fails more often than it may, in words, among what was tried that often."""
        for what, failed in self._failed.items():
            tried = self._tried[what]
            if tried >= fewest and failed > tried * self._may_fail:
                share = f"may_fail = {self._may_fail:g}"
                return (
                    f"{failed} of {tried} {what} failed since this start, more than {share} allows"
                )
        return None

    def check(self) -> None:
        if self.limit is not NO_LIMIT and self.reason is None and (reached := self._reached()):
            self.stop(reached)
        if self._failed and self.reason is None and (failing := self.failing(FEWEST)):
            self.stop(failing)
        if self.reason is not None:
            raise Suspended(self.reason)

    def _reached(self) -> str | None:
        """Money, tokens and calls count from the world's beginning; minutes from this start."""
        minutes = self.limit.minutes
        if minutes is not None and self._clock() - self._begun >= 60 * minutes:
            return f"the limit of the run is reached: it has run for {minutes:g} minutes"
        over = self.spent.over(self.limit, waited=False)
        return at_limit("run", over) if over else None


def at_limit(scope: Literal["run", "chain"], why: str) -> str:
    """Why it stops at a limit at which the same command would stop again."""
    whole = "the run" if scope == "run" else "a chain"
    return f"the limit of {whole} is reached: {why}; raise limits.{scope} to go on"
