"""Choices with a right one among them; and two solvers that know nothing of time: one has the question's own
words alone, the other all words that were ever written in this life.

Wrong choices by which one of them finds the right one are exchanged for others; where they find it all the
same, the question is struck.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import combinations, islice
from random import Random

from msgspec import Struct

from whoknew.engine.exams.clonemem.asked_life import LifeItem
from whoknew.eventlog.words import terms

UNTOLD = "I do not know"
"""Always the last choice."""

WRONG = 3
"""So many wrong choices beside the right one: beside `UNTOLD`, where nothing tells what is right."""

MOST_TRIED = 56
"""So many sets of wrong choices are tried."""


class SeenThrough(Struct, frozen=True):
    """Why no choices could be had: what by, in every set that was tried."""

    why: str


BY_WORDS = SeenThrough("its words give the answer away")
BY_BAG = SeenThrough("nothing but the right choice was ever written of")
TOO_FEW = SeenThrough("there are too few other choices")


def choices_of(
    item: LifeItem, draw: Random, written: Container[str]
) -> tuple[str, ...] | SeenThrough:
    """In a random order, the last one apart. `written` are the terms of all that was written by then."""
    wrong = list(dict.fromkeys(one for one in item.wrong if one != item.answer))
    if len(wrong) < WRONG:
        return TOO_FEW
    if not item.known:
        some = wrong[:WRONG]
        draw.shuffle(some)
        return (*some, UNTOLD)
    seen_through = BY_BAG
    for taken in islice(combinations(wrong[: WRONG + 5], WRONG), MOST_TRIED):
        some = [item.answer, *taken]
        if guessed(item.question, some) == item.answer:
            seen_through = BY_WORDS
        elif recognised(item.question, some, written) != item.answer:
            draw.shuffle(some)
            return (*some, UNTOLD)
    return seen_through


def guessed(question: str, choices: Sequence[str]) -> str | None:
    """The choice that shares more words with the question than any other; None where two are alike."""
    asked = set(terms(question))
    shared = sorted(((len(asked & set(terms(one))), one) for one in choices), reverse=True)
    return _first(shared)


def recognised(question: str, choices: Sequence[str], written: Container[str]) -> str | None:
    """The choice of whose words more were ever written than of any other's, whenever that was; None where
    two are alike."""
    asked = set(terms(question))
    known: list[tuple[float, str]] = []
    for one in choices:
        telling = set(terms(one)) - asked
        known.append((sum(term in written for term in telling) / max(1, len(telling)), one))
    return _first(sorted(known, reverse=True))


def _first(ranked: Sequence[tuple[float, str]]) -> str | None:
    """The best of these, where it is alone."""
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    return ranked[0][1]
