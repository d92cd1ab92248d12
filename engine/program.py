"""A plan made ready to play: its worlds by name, the episodes of each, the rules of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from whoknew.engine.limits import NO_LIMIT
from whoknew.engine.planned import planned
from whoknew.engine.troupe import Rules
from whoknew.worlds.plan import Limit, Plan, Scope
from whoknew.worlds.setting import Scenario, Setting

TURNS = 20
STALE = 2


class Program:
    """What a run needs to know of a plan. All of it follows from the plan and its setting."""

    def __init__(self, plan: Plan, setting: Setting, log: str) -> None:
        self.plan, self.setting, self.log = plan, setting, log
        self.at_once = plan.at_once
        name = plan.name or setting.name
        numbers = range(1, plan.chains + 1)
        self.worlds = [f"{name}-{one}" for one in numbers] if plan.chains > 1 else [name]
        self.seed = setting.seed if plan.seed is None else plan.seed
        self._scenarios = {one.name: self._played(one) for one in setting.scenarios}

    @property
    def hears(self) -> Mapping[str, Sequence[str]]:
        return {place.name: place.hears for place in self.setting.places if place.hears}

    def limit(self, scope: Scope) -> Limit:
        return self.plan.limits.get(scope, NO_LIMIT)

    def rules(self, number: int) -> Rules:
        return Rules(
            self.seed + number,
            self.setting.pace,
            self.plan.episodes.when_bad,
            self.plan.keep_prompts,
            self.limit("chain"),
            self.limit("episode"),
            self.limit("character"),
            planned(self.plan, self.setting, number),
        )

    def episodes(self, number: int) -> list[Scenario]:
        """The scenarios of one chain, in its order: a shuffle follows from the seed."""
        wanted = self.plan.episodes
        names = list(wanted.play or self._scenarios) * wanted.repeat
        if wanted.shuffle:
            Random(f"{self.seed + number}/episodes").shuffle(names)
        return [self._scenarios[name] for name in names]

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
