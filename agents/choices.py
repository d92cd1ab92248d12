"""Which of some choices an answer names: by rule, and strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from whoknew.eventlog.words import words

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
