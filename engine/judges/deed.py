"""Whether a predicted action is what was done then, and whether it follows from it: the two scores of
Bookmarks, EM and NLI, by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct

from whoknew.agents.models.model import Model, Sampling
from whoknew.engine.judges.model_judge import ModelJudge, Read, Rubric, answer
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

SAME, FOLLOWS = "same", "follows"

GRADES: Mapping[str, Mapping[str, float]] = {
    SAME: {"A": 1.0, "B": 0.0, "C": 0.0},
    FOLLOWS: {"A": 1.0, "B": 0.5, "C": 0.0},
}
"""What a grade counts: a near action is another one."""


class Grade(Struct, frozen=True):
    reason: str
    grade: Literal["A", "B", "C"]


def _rubric(name: str) -> Rubric:
    def read(found: Any) -> Read:
        given: Grade = getattr(found, name)
        return {name: GRADES[name][given.grade]}, {name: f"{given.grade}: {given.reason}"}

    return Rubric(f"judge.deed.{name}", answer(f"{name.title()}Graded", {name: Grade}), read)


RUBRICS = tuple(map(_rubric, GRADES))


class DeedJudge(Judge[AnswerCase]):
    """It is asked twice, of each apart."""

    def __init__(self, model: Model, sampling: Sampling, reasks: int) -> None:
        self._judges = [ModelJudge(one, model, sampling, reasks) for one in RUBRICS]

    async def review(self, case: AnswerCase) -> list[Verdict]:
        scores: dict[str, float] = {}
        reasons: list[str] = []
        for judge in self._judges:
            (verdict,) = await judge.review(case)
            if verdict.scores is None:
                return [verdict]
            scores |= verdict.scores
            reasons.append(verdict.reason)
        return [Verdict(case.character, scores, "\n".join(reasons))]


class DeedEntry(JudgeEntry, frozen=True):
    """a model, whether a predicted action is what was done, and whether it follows: 0 to 1"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)
    asks: ClassVar[bool] = True

    def prompts(self) -> tuple[str, ...]:
        return tuple(one.rules for one in RUBRICS)

    def most_calls(self, reasks: int) -> int:
        return len(RUBRICS) * (1 + reasks)

    def make(self, bench: Bench) -> DeedJudge:
        return DeedJudge(bench.model, bench.sampling, bench.reasks)
