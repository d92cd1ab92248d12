"""Whether an answer names the right one of the choices: by rule, and strictly."""

from __future__ import annotations

from typing import ClassVar

from whoknew.agents.choices import chosen
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

RIGHT = "right"


class ChoiceJudge(Judge[AnswerCase]):
    """1 where the right choice is named, 0 where another is. An answer that names none, or two, is a
    failure: what it says cannot be told. That an answer denies what it names, it does not see."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not case.choices or case.correct is None:
            return [Verdict(case.character, None, "there are no choices of which one is right")]
        named = chosen(case.answer, case.choices)
        if len(named) != 1:
            which = " and ".join(map(repr, named)) if named else "none of the choices"
            return [Verdict(case.character, None, f"names {which}, but should name one")]
        right = named[0] == case.correct
        reason = f"names {named[0]!r}" + ("" if right else f", but right is {case.correct!r}")
        return [Verdict(case.character, {RIGHT: float(right)}, reason)]


class ChoiceEntry(JudgeEntry, frozen=True):
    """whether an answer names the right choice"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("choices", "correct")

    def make(self, bench: Bench) -> ChoiceJudge:
        return ChoiceJudge()
