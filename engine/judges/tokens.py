"""An answer beside a reference, token by token, as SQuAD counts it: the same, or how much the same."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import ClassVar

from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

EXACT, F1 = "exact", "f1"

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


class TokenJudge(Judge[AnswerCase]):
    """A score, 0 to 1, of an answer's tokens beside those of the reference."""

    def __init__(self, name: str, score: Callable[[list[str], list[str]], float]) -> None:
        self._name, self._score = name, score

    async def review(self, case: AnswerCase) -> list[Verdict]:
        wanted = tokens(case.reference or "")
        if not wanted:
            return [Verdict(case.character, None, "there are no words in the reference")]
        score = self._score(tokens(case.answer), wanted)
        return [Verdict(case.character, {self._name: score}, f"beside {case.reference!r}")]


def tokens(text: str) -> list[str]:
    """In lower case, without punctuation and articles."""
    kept = "".join(sign for sign in text.lower() if not _is_punctuation(sign))
    return _ARTICLES.sub(" ", kept).split()


def _is_punctuation(sign: str) -> bool:
    """What ASCII has of signs, and the punctuation of other scripts."""
    return unicodedata.category(sign)[0] == "P" or sign in "$+<=>^`|~"


def exact(said: list[str], wanted: list[str]) -> float:
    return float(said == wanted)


def f1(said: list[str], wanted: list[str]) -> float:
    """The harmonic mean of the part of the answer that is in the reference, and of the part of the
    reference that is in the answer; each token as often as it stands there."""
    shared = (Counter(said) & Counter(wanted)).total()
    return 2 * shared / (len(said) + len(wanted))


class ExactEntry(JudgeEntry, frozen=True):
    """whether an answer is the reference, but for case, articles and punctuation"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)

    def make(self, bench: Bench) -> TokenJudge:
        return TokenJudge(EXACT, exact)


class OverlapEntry(JudgeEntry, frozen=True):
    """how far an answer and the reference are the same tokens (F1)"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)

    def make(self, bench: Bench) -> TokenJudge:
        return TokenJudge(F1, f1)
