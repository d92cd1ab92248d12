"""A plan made ready to play: its chains, each with its world, its episodes and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Self

from msgspec.structs import replace

from whoknew.engine.plan.plan import MAY_FAIL, NO_LIMIT, Limit, Plan, Scope
from whoknew.engine.plan.planned import planned
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.eventlog.kinds import Planned
from whoknew.worlds.reach import Reach
from whoknew.worlds.setting import Scenario, Setting

TURNS = 20
"""The default number of turns that an episode has at most, where neither the plan nor the scenario says."""
STALE = 2
"""So many turns in a row with nobody doing anything end an episode, where neither of them says."""


def seed_of(plan: Plan, setting: Setting, number: int) -> int:
    """The seed of a plan's chain, from the plan's own or else its world's: the next chain has the next."""
    return (setting.seed if plan.seed is None else plan.seed) + number


class Chain:
    """One chain of a program. All of it follows from a plan, its setting, and its number among the
    chains of that plan."""

    def __init__(self, world: str, plan: Plan, setting: Setting, number: int = 0) -> None:
        self.world, self.plan, self.setting, self.number = world, plan, setting, number
        self.seed = seed_of(plan, setting, number)

    @property
    def planned(self) -> Planned:
        return planned(self.plan, self.setting, self.number)

    @property
    def reach(self) -> Reach:
        return Reach.of(self.setting)

    def limit(self, scope: Scope) -> Limit:
        return self.plan.limits.get(scope, NO_LIMIT)

    def rules(self) -> PlayRules:
        return PlayRules(
            seed=self.seed,
            pace=self.setting.pace,
            when_bad=self.plan.episodes.when_bad,
            keep_prompts=self.plan.keep_prompts,
            scan_prompts=self.plan.scan_prompts,
            tellings=self.plan.tellings,
            chain=self.limit("chain"),
            episode=self.limit("episode"),
            character=self.limit("character"),
            planned=self.planned,
        )

    @property
    def is_guarded(self) -> bool:
        """Whether anybody's lines are looked at before they are said."""
        seats = [self.plan.seat(one.name) for one in self.setting.characters]
        return any(seat.guarding for seat in seats if seat.thinks)

    def count(self) -> int:
        """How many episodes it has."""
        wanted = self.plan.episodes
        played = self.setting.scenarios if wanted.play is None else wanted.play
        return len(played) * wanted.repeat

    def episodes(self) -> list[Scenario]:
        """Its scenarios, in order: a shuffle follows from the seed."""
        wanted = self.plan.episodes
        scenarios = [self._played(one) for one in self.setting.scenarios]
        if wanted.play is not None:
            named = {one.name: one for one in scenarios}
            scenarios = [named[name] for name in wanted.play]
        scenarios *= wanted.repeat
        if wanted.shuffle:
            Random(f"{self.seed}/episodes").shuffle(scenarios)
        return scenarios

    def _played(self, scenario: Scenario) -> Scenario:
        """A scenario with the plan's order and limits, else its own, else the usual ones."""
        ours = self.plan.episodes
        return replace(
            scenario,
            order=ours.order or scenario.order or "round-robin",
            turns=ours.turns or scenario.turns or TURNS,
            stale=ours.stale or scenario.stale or STALE,
            begins=None if ours.shuffle or ours.repeat > 1 else scenario.begins,
        )


class Program:
    """What a run plays into one log: chains, so many of them at once, within one limit."""

    def __init__(
        self,
        chains: Sequence[Chain],
        log: str,
        at_once: int = 64,
        limit: Limit = NO_LIMIT,
        may_fail: float = MAY_FAIL,
        *,
        judged: bool = True,
    ) -> None:
        """`judged`: in a world that was begun, judges that were changed or taken away are another plan.
        An exam knows by whom each verdict is, and has judges heard on what they missed."""
        self.may_fail, self.judged = may_fail, judged
        self.chains, self.log, self.at_once, self.limit = tuple(chains), log, at_once, limit
        self.worlds = tuple(one.world for one in chains)

    @classmethod
    def of(cls, plan: Plan, setting: Setting, log: str) -> Self:
        """The chains of one plan. The first keeps its name however many there are."""
        name = plan.name or setting.name
        worlds = [name, *(f"{name}-{number}" for number in range(2, plan.chains + 1))]
        chains = [Chain(world, plan, setting, number) for number, world in enumerate(worlds)]
        return cls(chains, log, plan.at_once, plan.limits.get("run", NO_LIMIT), plan.may_fail)

    def beginning_with(self, world: str) -> Program:
        """The same, with its first chain in a world of this name."""
        first, *others = self.chains
        renamed = Chain(world, first.plan, first.setting, first.number)
        return Program(
            [renamed, *others],
            self.log,
            self.at_once,
            self.limit,
            self.may_fail,
            judged=self.judged,
        )
