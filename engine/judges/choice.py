"""Whether an answer names the right one of the choices: by rule, and strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import ClassVar

from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict
from whoknew.eventlog.words import words

RIGHT = "right"

LETTERS = ascii_uppercase
"""What choices are called, in their order, where they are put to somebody."""

_LETTER = re.compile(
    r"""
    ^\W*([A-Za-z])\W*$                                            # nothing else
    | ^\W*([A-Z])[).:]                                            # B) Bram
    | \(([A-Z])\)                                                 # it is Bram (B)
    | \b(?i:answer|choice|option)\b(?:\s+is)?[\s:"'(*]*([A-Z])\b(?!['\u2019])   # answer: B
    """,
    re.VERBOSE,
)


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


def chosen(answer: str, choices: Sequence[str]) -> list[str]:
    """The choices that an answer names, by letter or in their words, in their order."""
    named = {*_by_letter(answer, len(choices)), *_by_words(answer, choices)}
    return [choice for place, choice in enumerate(choices) if place in named]


def _by_letter(answer: str, count: int) -> Iterator[int]:
    for found in _LETTER.finditer(answer):
        letter = next(filter(None, found.groups()))
        place = LETTERS.index(letter.upper())
        if place < count:
            yield place


def _by_words(answer: str, choices: Sequence[str]) -> Iterator[int]:
    """Where the words of one stand only inside those of a longer one, that one is named."""
    said = _spaced(answer)
    texts = [_spaced(choice) for choice in choices]
    for place in sorted(range(len(texts)), key=lambda place: -len(texts[place])):
        if texts[place].strip() and texts[place] in said:
            yield place
            said = said.replace(texts[place], " | ")


def _spaced(text: str) -> str:
    """The words of a text, each between two spaces of its own."""
    return "".join(f" {word} " for word in words(text))


class ChoiceEntry(JudgeEntry, frozen=True):
    """whether an answer names the right choice"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("choices", "correct")

    def make(self, bench: Bench) -> ChoiceJudge:
        return ChoiceJudge()
