"""Whether an answer keeps to the moment and the place of who gives it: TimeChara's two scores, 0 or 1, and
their product, by a model."""

from __future__ import annotations

from typing import ClassVar

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, one_of
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Needed, Verdict

RIGHT, SPATIAL, TEMPORAL = "right", "spatial", "temporal"

KNOWING = "what it did not know"
"""The `strategy` of a question that takes for known what was not: whoever says so denies it."""


class MomentJudge(LastLineJudge):
    """It asks of the place first, where the labels say anything of that: what is wrong there is wrong,
    and the other is not asked."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not isinstance(case.labels.get(TEMPORAL), str):
            return [Verdict(case.character, None, NO_LABEL)]
        scores: dict[str, float] = {RIGHT: 1.0}
        reasons: list[str] = []
        for name in (SPATIAL, TEMPORAL):
            if scores[RIGHT] and isinstance(case.labels.get(name), str):
                rules = filled(f"judge.{name}", name=case.character)
                known = {name: case.labels[name]}
                judged = JudgedAnswer(case.answer, None, labels=known, scale=(0.0, 1.0))
                try:
                    score, why = await self.asked(case, rules, judged, one_of("0", "1"))
                except (BadAnswer, BadReply) as error:
                    return [Verdict(case.character, None, f"{name}: {error}")]
                scores[name] = score
                scores[RIGHT] *= score
                reasons.append(f"{name} {score:g}: {why}")
        return [Verdict(case.character, scores, "\n".join(reasons))]


NO_LABEL = "the question has no label `temporal` that says what holds at its moment"


class MomentEntry(LastLineEntry, frozen=True):
    """a model, whether an answer keeps to its moment and its place: 0 or 1"""

    needs: ClassVar[tuple[Needed, ...]] = ("labels",)
    judge: ClassVar = MomentJudge

    def prompts(self) -> tuple[str, ...]:
        return (f"judge.{SPATIAL}", f"judge.{TEMPORAL}")

    def most_calls(self, reasks: int) -> int:
        return 2 * (1 + reasks)
