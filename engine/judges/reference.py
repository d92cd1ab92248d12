"""How much of a reference an answer holds, counted in words: no model is asked.

It counts what is named, and no more: that an answer denies what it names, it does not see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict
from whoknew.eventlog.words import STOP_WORDS, stem_of, words

OVERLAP = "overlap"

_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
NUMBERS = {word: str(number) for number, word in enumerate(_NUMBERS.split())}
"""Those that are written in words as often as in figures."""

_NAME = re.compile(r"(?<=[\w,;] )[^\W\d_a-z]\w+")
"""In the middle of a sentence only a name begins like that: `Will`, which is a stop word otherwise."""

_GROUPING = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


class ReferenceJudge(Judge[AnswerCase]):
    """Which part of the words that count in the reference the answer holds: 0 to 1."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        return [_reviewed(case)]


def _reviewed(case: AnswerCase) -> Verdict:
    wanted = counted(case.reference or "")
    if not wanted:
        return Verdict(case.character, None, "there are no words in the reference to compare with")
    said = set(map(_key, _words(case.answer)))
    missed = [word for key, word in wanted.items() if key not in said]
    held = len(wanted) - len(missed)
    reason = f"{held} of {len(wanted)} words" + (f"; missed: {', '.join(missed)}" if missed else "")
    return Verdict(case.character, {OVERLAP: held / len(wanted)}, reason)


def counted(text: str) -> Mapping[str, str]:
    """The words of a text that count, each under what it is found by: all but stop words, unless
    there are no others."""
    names = {name.casefold() for name in _NAME.findall(text)}
    every = all_counted(text)
    found = {key: word for key, word in every.items() if word not in STOP_WORDS or word in names}
    return found or every


def all_counted(text: str) -> Mapping[str, str]:
    """The same, of all its words."""
    every = {_key(word): word for word in reversed(_words(text))}
    return dict(reversed(every.items()))


def _words(text: str) -> list[str]:
    return words(_GROUPING.sub("", text))


def _key(word: str) -> str:
    """A number is found however it is written, and another word by its stem."""
    return NUMBERS.get(word) or stem_of(word) or word


class ReferenceEntry(JudgeEntry, frozen=True):
    """how many of the reference's words an answer holds"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)

    def make(self, bench: Bench) -> ReferenceJudge:
        return ReferenceJudge()
