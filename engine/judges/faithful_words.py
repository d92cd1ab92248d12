"""The same as `faithful.py` by rule: by the words that an answer shares with what is known to be right, and
with what that rests on. It reads words, not sense."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

from whoknew.engine.judges.faithful import BEST, marked
from whoknew.engine.judges.reference import counted
from whoknew.engine.judges.remembered import points_of, witnessed
from whoknew.engine.judges.remembered_words import holds
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

HALF = 0.5
"""What has more words than this share that stand in nothing known is made up."""

ALL, SOME = 0.8, 0.4
"""Shares of the reference's words from which on an answer holds all of it, or some."""

_UNKNOWING = frozenset(
    counted(
        "I do not know. It was never said, told, written down, and cannot be determined or answered."
    )
)


class FaithfulWordsJudge(Judge[AnswerCase]):
    """Who says of what can be known that it does not know makes nothing up, and agrees with nothing."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        right = set(counted(case.reference or ""))
        said = set(counted(case.answer))
        silent = said <= _UNKNOWING
        if right <= _UNKNOWING or silent:
            mark = BEST * (silent and right <= _UNKNOWING)
            why = "it says that it does not know" if silent else "it tells what cannot be known"
            return [Verdict(case.character, marked(float(silent), mark), why)]
        points = await points_of(case)
        shown = [
            [event.body.words for event in await witnessed(case, some)] for some in case.evidence
        ]
        told = " ".join([case.question, case.character, *points, *chain(*shown)])
        strange = said - right - set(counted(told))
        grounded = float(len(strange) <= HALF * len(said))
        share = len(said & right) / len(right)
        held = [
            holds([case.answer], point, some, case.character)
            for point, some in zip(points, shown, strict=True)
        ]
        whole, part = share >= ALL or (held and all(held)), share >= SOME or any(held)
        mark = BEST if whole else 2 if part else 1
        why = f"{len(strange)} of {len(said)} words stand in nothing known; {share:.0%} of the reference"
        return [Verdict(case.character, marked(grounded, mark), why)]


class FaithfulWordsEntry(JudgeEntry, frozen=True):
    """by rule, whether an answer makes something up, and how well it agrees with what is right: 0 to 1"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)
    own_words: ClassVar[bool] = True

    def make(self, bench: Bench) -> FaithfulWordsJudge:
        return FaithfulWordsJudge()
