"""How much of an answer follows from one that is known to be right: sentence by sentence, by a model."""

from __future__ import annotations

from typing import ClassVar

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, some_of
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Needed, Verdict
from whoknew.eventlog.words import sentences

ENTAILED = "entailed"


class EntailmentJudge(LastLineJudge):
    """The share of its sentences that the reference says or implies: 0 to 1. Who says nothing has
    none."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not case.reference:
            return [Verdict(case.character, None, "there is no reference to hold it against")]
        said = [one.strip() for one in sentences(case.answer) if one.strip()]
        if not said:
            return [Verdict(case.character, {ENTAILED: 0.0}, "it says nothing")]
        rules = filled("judge.entailment", name=case.character)
        numbered = " ".join(f"({number}) {one}" for number, one in enumerate(said, 1))
        judged = JudgedAnswer(numbered, case.reference, scale=(0.0, 1.0))
        try:
            following, why = await self.asked(case, rules, judged, some_of(len(said)))
        except (BadAnswer, BadReply) as error:
            return [Verdict(case.character, None, str(error))]
        told = f"{len(following)} of {len(said)} sentences follow: {why}"
        return [Verdict(case.character, {ENTAILED: len(following) / len(said)}, told)]


class EntailmentEntry(LastLineEntry, frozen=True):
    """a model, how much of an answer follows from the reference"""

    needs: ClassVar[tuple[Needed, ...]] = ("reference",)
    judge: ClassVar = EntailmentJudge

    def prompts(self) -> tuple[str, ...]:
        return ("judge.entailment",)
