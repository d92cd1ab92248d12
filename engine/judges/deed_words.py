"""The same as `deed.py` by rule: how many words that count a prediction shares with what was done. It reads
words, not sense."""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import ClassVar

from whoknew.engine.judges.deed import FOLLOWS, GRADES, SAME
from whoknew.engine.judges.reference import all_counted, counted
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict
from whoknew.eventlog.words import STOP_WORDS

HALF = 0.5
"""From this share of words on two actions are taken to be the same, or one to follow from the other."""

SOME = 0.25
"""From this share on they are about the same."""

_DENIED = re.compile(r"\b(?:not|never|no|none|nor|nothing|nobody|cannot)\b|n't\b", re.IGNORECASE)
"""What takes something back."""


_STOPS = frozenset(all_counted(" ".join(STOP_WORDS)))

SILENCE = frozenset(("(no words)",))
"""What is taken for the words of what has none."""


class DeedWordsJudge(Judge[AnswerCase]):
    """The name of who acts counts for nothing: it is in both."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        done, said = _compared(case.reference or "", case.answer, set(counted(case.character)))
        shared = len(done & said)
        same = _same(2 * shared / (len(done) + len(said)))
        denied = bool(_DENIED.search(case.answer)) != bool(_DENIED.search(case.reference or ""))
        follows = _follows(shared / max(1, len(said)), denied=denied)
        scores = {SAME: GRADES[SAME][same], FOLLOWS: GRADES[FOLLOWS][follows]}
        told = f"{shared} words in both, of {len(done)} that were right and {len(said)} predicted"
        if done is SILENCE:
            told = "what was done has no words"
        reason = f"same {same}, follows {follows}: {told}{', one of them denied' * denied}"
        return [Verdict(case.character, scores, reason)]


def _compared(
    done: str, said: str, who: Collection[str]
) -> tuple[AbstractSet[str], AbstractSet[str]]:
    """What counts of both. Where that is nothing of what was done ("When?"), all words of both do; and
    where it has none, that it has none."""
    counting, predicted = (set(counted(text)).difference(who) for text in (done, said))
    if counting - _STOPS:
        return counting, predicted
    every, predicted = (set(all_counted(text)).difference(who) for text in (done, said))
    return every or SILENCE, predicted or SILENCE


def _same(share: float) -> str:
    """By the harmonic mean of both shares."""
    return "A" if share >= HALF else "B" if share >= SOME else "C"


def _follows(share: float, *, denied: bool) -> str:
    """By the share of what was predicted that is in what was done: what speaks of the same and denies it
    contradicts it."""
    if denied and share >= SOME:
        return "C"
    return "A" if share >= HALF else "B"


class DeedWordsEntry(JudgeEntry, frozen=True):
    """by rule, whether a predicted action is what was done, and whether it follows: 0 to 1"""

    version: ClassVar = 2
    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)

    def make(self, bench: Bench) -> DeedWordsJudge:
        return DeedWordsJudge()
