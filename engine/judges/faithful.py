"""Whether an answer in one's own words makes something up, and how well it agrees with what is right: the
last three scores of CloneMem, by a model."""

from __future__ import annotations

from typing import ClassVar

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, one_of
from whoknew.engine.judges.model_judge import of_answer
from whoknew.engine.judges.remembered import POINTS
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Needed, Verdict

GROUNDED, CONSISTENT, PERFECT = "grounded", "consistent", "perfect"

MARKS = ("0", "1", "2", "3")
"""What is made up, right and general, right in part, right in all."""

BEST = 3


def marked(grounded: float, mark: float) -> dict[str, float]:
    """The scores. What makes something up agrees with nothing, whatever else is said of it."""
    kept = mark if grounded else 0.0
    return {GROUNDED: grounded, CONSISTENT: kept / BEST, PERFECT: float(kept == BEST)}


class FaithfulJudge(LastLineJudge):
    """It is asked whether anything is made up; where nothing is, how well it agrees."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not case.reference:
            return [Verdict(case.character, None, "there is no reference to hold it against")]
        shown = (await of_answer(case, shows=("reference", "evidence"))).judged
        assert isinstance(shown, JudgedAnswer)
        points = case.labels.get(POINTS)
        known = {POINTS: points} if points else {}
        scores: list[float] = []
        reasons: list[str] = []
        for name, marks in ((GROUNDED, ("0", "1")), (CONSISTENT, MARKS)):
            judged = JudgedAnswer(
                shown.answer,
                shown.reference,
                known,
                evidence=shown.evidence,
                scale=(0.0, float(marks[-1])),
            )
            rules = filled(f"judge.{name}", name=case.character)
            try:
                score, why = await self.asked(case, rules, judged, one_of(*marks))
            except (BadAnswer, BadReply) as error:
                return [Verdict(case.character, None, f"{name}: {error}")]
            scores.append(score)
            reasons.append(f"{name} {score:g}: {why}")
            if not scores[0]:
                break
        return [Verdict(case.character, marked(scores[0], scores[-1]), "\n".join(reasons))]


class FaithfulEntry(LastLineEntry, frozen=True):
    """a model, whether an answer makes something up, and how well it agrees with what is right: 0 to 1"""

    needs: ClassVar[tuple[Needed, ...]] = ("reference",)
    own_words: ClassVar[bool] = True
    judge: ClassVar = FaithfulJudge

    def prompts(self) -> tuple[str, ...]:
        return (f"judge.{GROUNDED}", f"judge.{CONSISTENT}")

    def most_calls(self, reasks: int) -> int:
        return 2 * (1 + reasks)
