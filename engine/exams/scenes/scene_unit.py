"""What an exam of scenes puts to its arms: a chain that is to be played."""

from __future__ import annotations

import msgspec

from whoknew.engine.exams.cells import ExamUnit
from whoknew.engine.plan.plan import Episodes
from whoknew.worlds.bank import SIDES
from whoknew.worlds.setting import Setting


class SceneUnit(ExamUnit, frozen=True, kw_only=True):
    """A chain to be played. Its first two people are the two sides; `prompted` is what they are given
    for their goals, by scenario, who have nothing to say of their own. `number` tells scenes apart that
    are to have each a chance of its own."""

    name: str
    setting: Setting
    episodes: Episodes
    prompted: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    number: int = 0

    @property
    def sides(self) -> dict[str, str]:
        """Who is on which side."""
        people = (one.name for one in self.setting.characters)
        return dict(zip(SIDES, people, strict=False))

    @property
    def count(self) -> int:
        """How many episodes it has."""
        return len(self.episodes.play or self.setting.scenarios) * self.episodes.repeat

    def role(self, who: str) -> str:
        """The side of somebody; others in a scene of more than two are known by their names."""
        return next((side for side, name in self.sides.items() if name == who), who)
