"""Those who play one world, and what they play by: all that an episode needs of its chain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from whoknew.agents.agent import Agent
from whoknew.engine.errors import BeingPlayed, Suspended
from whoknew.engine.plan.rules import PlayRules
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.panel import Panel
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Event, Log, exactly
from whoknew.eventlog.errors import Conflict


class ChainRun:
    """`control` can stop all of the run; `watch` hears of every event that goes in."""

    def __init__(
        self,
        *,
        log: Log,
        world: str,
        rules: PlayRules,
        standing: ChainState,
        control: Control,
        watch: Callable[[Event | Draft], None],
    ) -> None:
        self.log, self.world, self.rules, self.standing = log, world, rules, standing
        self._control, self._watch = control, watch
        self.agents: Mapping[str, Agent] = {}
        self.bench: Panel | None = None
        self.ledger = Ledger(self.append, self._calling, keep_prompts=rules.keep_prompts)
        self.ledger.resume(standing.pending)

    async def append(self, drafts: Sequence[Draft]) -> None:
        """Append what happens next. Nobody else writes this world meanwhile."""
        head = self.standing.head
        self.standing.go_on(drafts)
        try:
            await self.log.append(self.world, drafts, expect=exactly(head))
        except Conflict as error:
            raise BeingPlayed(
                f"{self.world!r} is written to by somebody else, too: #{head} was its newest "
                f"event when this turn began, and #{error.actual} is now. Let one process play it: "
                "nothing that is on the log is lost"
            ) from error
        for draft in drafts:
            self._watch(draft)

    @contextmanager
    def _calling(self, who: str, model: str) -> Iterator[None]:
        """One call, for which there must be leave; it counts from when it is made."""
        self.pause()
        spents = (self.standing.spent, self._control.spent)
        for spent in spents:
            spent.under_way += 1
        try:
            with self._control.flying(self.world, who, model):
                yield
        finally:
            for spent in spents:
                spent.under_way -= 1

    def count(self, what: str, tried: int, failed: int) -> None:
        """How much of what was tried could not be had: where it is too much, the run stops."""
        self._control.count(what, tried, failed)

    def pause(self) -> None:
        """A moment at which a run can stop: between two turns, and before each call."""
        self._control.check()
        if reached := self.standing.spent.over(self.rules.chain):
            raise Suspended(f"the limit of a chain is reached: {reached}")

    def episode_limit(self) -> str | None:
        """Why the episode in hand must end, where its limit is reached."""
        reached = self.standing.episode_spent.over(self.rules.episode)
        return f"the limit of an episode is reached: {reached}" if reached else None

    def character_limit(self, who: str) -> str | None:
        spent = self.standing.spent_by.get(who)
        return spent.over(self.rules.character) if spent else None
