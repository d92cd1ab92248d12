"""What is wrong with an answer, by eight kinds of slips: the kinds of TimeChara's study, by a model."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Literal, get_args

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, not_alone
from whoknew.engine.judges.moment import NO_LABEL, SPATIAL, TEMPORAL
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Needed, Verdict

Slip = Literal[
    "entity",
    "relation",
    "contradictory",
    "invented",
    "temporal",
    "spatial",
    "unclarified",
    "incomplete",
]

SLIPS: tuple[Slip, ...] = get_args(Slip)

CLEAN = "clean"
"""1 where there is none of them: what is good about an answer, in the first place."""

NONE = "none"


def scored(found: Collection[Slip], looked_for: Collection[Slip] = SLIPS) -> dict[str, float]:
    """Of each kind that was looked for, whether it is there."""
    return {CLEAN: float(not found), **{one: float(one in found) for one in looked_for}}


class SlipsJudge(LastLineJudge):
    """It names those that are there."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        known = {name: case.labels[name] for name in (TEMPORAL, SPATIAL) if name in case.labels}
        if TEMPORAL not in known:
            return [Verdict(case.character, None, NO_LABEL)]
        rules = filled("judge.slips", name=case.character)
        judged = JudgedAnswer(case.answer, case.reference or None, labels=known, kinds=SLIPS)
        try:
            found, why = await self.asked(case, rules, judged, _read)
        except (BadAnswer, BadReply) as error:
            return [Verdict(case.character, None, str(error))]
        return [Verdict(case.character, scored(found), why)]


def _read(last: str) -> frozenset[Slip]:
    named = [] if last == NONE else last.split(", ")
    found: list[Slip] = [one for one in SLIPS if one in named]
    if len(found) < len(named) or not last:
        raise not_alone(last, f"{NONE!r}, or some of {', '.join(SLIPS)}, with commas between,")
    return frozenset(found)


class SlipsEntry(LastLineEntry, frozen=True):
    """a model, what is wrong with an answer: eight kinds of slips"""

    needs: ClassVar[tuple[Needed, ...]] = ("labels",)
    faults: ClassVar = SLIPS
    judge: ClassVar = SlipsJudge

    def prompts(self) -> tuple[str, ...]:
        return ("judge.slips",)
