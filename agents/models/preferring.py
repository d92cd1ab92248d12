"""How `offline:` chooses: the choice whose own words stand in the line that fits the question best; and where
lines have a day, in one that lies near it. What is told in parts holds where its parts stand in that order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from whoknew.agents.models.asked_for import unframed
from whoknew.agents.models.dated_line import begun_on, month_end
from whoknew.agents.models.overtaken import gone
from whoknew.agents.models.statement import Statement
from whoknew.eventlog.words import sentences, terms

LEAST = 0.25
"""A choice that fits less is no answer: half of its words, in a line that holds half of the question's."""

KNOWN = 0.5
"""What a question is about is known by this part of its words."""

NEAR, AFTER = 20, 5
"""Days before the line that a question is about, and after it, by which another counts half."""

TOLD = 0.75
"""A sentence tells of a choice that has this part of its words."""

_UNKNOWING = frozenset(terms("I do not know. It cannot be told, said, determined or answered."))

_IN_MONTH = re.compile(r"[Ii]n ([A-Z]\w+ [0-9]{4}) (.+)", re.DOTALL)
_AGAIN = re.compile(r"\bmore than once\b|\bagain and again\b", re.IGNORECASE)
_UNDONE = re.compile(r"\bsuppose it had not happened\b", re.IGNORECASE)


class _Line:
    """What a line tells: its words, those of each sentence, its day."""

    def __init__(self, told: Statement) -> None:
        self.place, self.day, self._text = told.place, begun_on(told.text), told.text
        self.words = frozenset(terms(f"{told.who} {told.text}"))

    @cached_property
    def held(self) -> frozenset[str]:
        """Its words, but for those of what it says no longer holds."""
        return self.words - self.gone

    @cached_property
    def gone(self) -> frozenset[str]:
        return gone(self._text)

    def closeness(self, asked: frozenset[str], words: frozenset[str]) -> float:
        """How much of what is asked stands in a sentence that tells of these words; in the one before it, half."""
        before, most = frozenset[str](), 0.0
        for one in self._sentences:
            if len(words & one) >= TOLD * len(words):
                most = max(most, len(asked & one) + len(asked & before - one) / 2)
            before = one
        return most

    @cached_property
    def _sentences(self) -> list[frozenset[str]]:
        return [frozenset(terms(one)) - self.gone for one in sentences(self._text)]

    def share(self, words: frozenset[str], least: float) -> float:
        """Which part of these words stand in one of its sentences; none, where it is less than that."""
        if len(words & self.words) < least * len(words) or not words:
            return 0.0
        share = max(len(words & one) for one in self._sentences) / len(words)
        return share if share >= least else 0.0


class _Found(NamedTuple):
    """How well a choice fits, with the line that it rests on: the later counts where two fit as well, and
    in one line what stands closer to what is asked about."""

    fits: float
    place: int
    choice: str
    close: float = 0.0

    @property
    def rank(self) -> tuple[float, int, float]:
        return self.fits, self.place, self.close


_NOTHING = _Found(0.0, 0, "")


def preferred(question: str, choices: Sequence[str], told: Sequence[Statement]) -> dict[str, Any]:
    """One of them, with the line that it rests on; where none fits, the one that says that nobody can
    know, if there is such a one."""
    asked = unframed(question)
    own = [one for one in choices if not _says_nothing(one)]
    lines = sorted(map(_Line, told), key=lambda line: line.place)
    parts = [_parts(one) for one in own]
    if own and all(parts):
        found = _in_order(own, parts, lines)
    else:
        oftenest = _oftenest(own, lines) if _AGAIN.search(asked) else _NOTHING
        found = oftenest if oftenest.fits else _nearest(asked, own, lines)
    if found.fits >= LEAST:
        return {"answer": found.choice, "rests_on": [found.place] if found.place else []}
    return {"answer": next((one for one in choices if _says_nothing(one)), "I do not know.")}


def _nearest(question: str, choices: Sequence[str], lines: Sequence[_Line]) -> _Found:
    """The choice that stands in the line that the question is about, or near it in days; of what would
    be if something had not happened, the last that was so before it."""
    asked = frozenset(terms(question))
    own = [(one, frozenset(terms(one)) - asked) for one in choices]
    fits = [len(asked & line.words) / max(1, len(asked)) for line in lines]
    about = max(range(len(lines)), key=lambda number: (fits[number], number), default=0)
    day = lines[about].day if lines and fits[about] >= KNOWN else None
    if day is not None and _UNDONE.search(question):
        return _before(day, own, lines)
    best = _NOTHING
    for line, fit in zip(lines, fits, strict=True):
        near = fits[about] * _nearness(line.day, day)
        for choice, words in own:
            here = fit * len(words & line.words) / max(1, len(words))
            if here > best.fits:
                here = fit * len(words & line.held) / len(words)
            beside = near * line.share(words, max(LEAST, best.fits) / near) if near else 0.0
            found = _Found(max(here, beside), line.place, choice)
            if found.rank[:2] >= best.rank[:2]:
                found = found._replace(close=line.closeness(asked, words))
                best = max(best, found, key=lambda one: (*one.rank, one.choice))
    return best


def _before(day: int, own: Sequence[tuple[str, frozenset[str]]], lines: Sequence[_Line]) -> _Found:
    """The choice of which was told last before a day."""
    before = [line for line in lines if line.day is not None and line.day < day]
    for line in reversed(before):
        share, choice = max(
            ((line.share(words, TOLD), one) for one, words in own), default=(0.0, "")
        )
        if share:
            return _Found(share, line.place, choice)
    return _NOTHING


def _nearness(day: int | None, other: int | None) -> float:
    """Of a day to the one that a question is about: 1 on it, less the farther away, and after it sooner."""
    if day is None or other is None:
        return 0.0
    return 1 / (1 + (other - day) / NEAR) if day <= other else 1 / (1 + (day - other) / AFTER)


def _oftenest(choices: Sequence[str], lines: Sequence[_Line]) -> _Found:
    """The choice of which most lines tell, if it is one alone."""
    found = []
    for choice in choices:
        words = frozenset(terms(choice))
        telling = [line.place for line in lines if line.share(words, TOLD)]
        found.append((len(telling), _Found(1.0, max(telling, default=0), choice)))
    return _alone(found)


_Part = tuple[str, int | None]
"""What a choice tells, and the last day of the month in which it is to hold."""


def _parts(choice: str) -> list[_Part]:
    """What a choice tells one after another, or month by month; none, where it is one thing."""
    first, then, rest = choice.partition(", then ")
    second, end, last = rest.partition(", in the end ")
    if first.startswith("First ") and then and end:
        return [(part, None) for part in (first.removeprefix("First "), second, last)]
    found = [_IN_MONTH.fullmatch(part) for part in choice.split("; ")]
    months = [(one[2], month_end(one[1])) for one in found if one]
    return months if 1 < len(months) == len(found) and all(day for _, day in months) else []


def _in_order(
    choices: Sequence[str], parts: Sequence[Sequence[_Part]], lines: Sequence[_Line]
) -> _Found:
    """The choice whose parts stand in lines in their order, each the newest of all parts where a month is
    named; if it is one alone."""
    every = {part for some in parts for part, _ in some}
    found = []
    for choice, some in zip(choices, parts, strict=True):
        places = [_held(part, last, every, lines) for part, last in some]
        known = [one for one in places if one is not None]
        rightly = len(known) == len(places) and known == sorted(known)
        place = lines[known[-1]].place if known else 0
        found.append((int(rightly), _Found(1.0, place, choice)))
    return _alone(found)


def _held(part: str, last: int | None, every: set[str], lines: Sequence[_Line]) -> int | None:
    """Which line tells first of a part; or, at the end of a month, of none of the others later."""
    if last is None:
        return next(iter(_telling(part, lines)), None)
    until = [line for line in lines if line.day is not None and line.day <= last]
    newest = {one: max(_telling(one, until), default=-1) for one in every}
    place = newest.pop(part)
    return place if place >= 0 and place > max(newest.values(), default=-1) else None


def _telling(part: str, lines: Sequence[_Line]) -> list[int]:
    words = frozenset(terms(part))
    return [number for number, line in enumerate(lines) if line.share(words, TOLD)]


def _alone(found: Sequence[tuple[int, _Found]]) -> _Found:
    """The best of these, where no other is as good."""
    ranked = sorted(found, key=lambda pair: pair[0], reverse=True)
    if not ranked or not ranked[0][0] or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return _NOTHING
    return ranked[0][1]


def _says_nothing(choice: str) -> bool:
    return set(terms(choice)) <= _UNKNOWING
