"""Who may not have heard a speech, though it is taken that they did, or the other way round: what
the text leaves open. A doubt changes nothing of who witnesses what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from whoknew.worlds.importers.play.lines import ABSENT, YOU
from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.staging import Span, Staged
from whoknew.worlds.importers.play.steps import Directed, Spoken

_REVELS = re.compile(r"\b(?:dance|dances|banquet|feast|revels|carouse)\b", re.IGNORECASE)
_IN_AN_EAR = re.compile(
    r"\b(?:in (?:your|thine|thy|his|her) ear|each ear|hark (?:you|thee|ye)\b(?! here)"
    r"|a word (?:in private|apart)|speak low|softly)\b",
    re.IGNORECASE,
)
_AFTER_THEM = re.compile(r"\b(?:follow|after) (?:you|ye|them|him|her)\b", re.IGNORECASE)

_TALK = 4
"""Speeches before and after one, whose speakers are in the same talk."""

_LONG = 25
"""Words that make a speech one that can be to oneself."""


class Doubts:
    """The doubts of a scene, step by step."""

    def __init__(
        self, staged: Sequence[Staged], unsaid: Sequence[Span], people: PlayPeople
    ) -> None:
        self._staged, self._unsaid, self._people = staged, unsaid, people
        self._said = [at for at, one in enumerate(staged) if isinstance(one.step, Spoken)]
        self._order = {at: order for order, at in enumerate(self._said)}
        self._apart = dict(_apart(staged))
        self._revels = next((at for at, one in enumerate(staged) if _revels(one)), len(staged))

    def of(self, at: int, there: Sequence[str]) -> dict[str, str]:
        """Of whom on stage it is open whether they hear what is said at a step, and why."""
        step = self._staged[at].step
        if not isinstance(step, Spoken) or step.audience.kind == "aside" or step.everybody:
            return {}
        talking = self._talking(at)
        apart = [name for name in there if name not in talking]
        silent = [name for name in there if name not in step.speakers]
        found: dict[str, str] = {}
        found |= dict.fromkeys(self._of_the_unsaid(at, silent), "no direction says when")
        if self._to_oneself(at, step):
            found |= dict.fromkeys(apart, "it may be said to oneself")
        if self._to_the_gone(at, step):
            found |= dict.fromkeys(silent, "it is said to those who have just gone")
        if _IN_AN_EAR.search(step.text):
            found |= dict.fromkeys(self._not_meant(at, step, silent), "it is said in an ear")
        if at in self._apart and step.speakers[0] in self._apart[at]:
            seen = [name for name in silent if name not in self._apart[at]]
            found |= dict.fromkeys(seen, "it is said by one who stands apart")
        if at > self._revels:
            pair = self._pair(at)
            beside = [name for name in there if name not in (pair or talking)]
            found |= dict.fromkeys(beside, "several talk at once")
        if len(talking) == 2:
            found |= dict.fromkeys(self._named(step, apart), "they are spoken of")
        return found

    def _talking(self, at: int) -> set[str]:
        """Those who speak just before and after."""
        order = self._order[at]
        near = self._said[max(0, order - _TALK) : order + _TALK + 1]
        return {name for place in near for name in self._spoken(place).speakers}

    def _pair(self, at: int) -> set[str] | None:
        """The two who talk with nobody but each other, though others speak before or after them."""
        speakers, order = set(self._spoken(at).speakers), self._order[at]
        others = self._answering(at) - speakers
        if len(speakers) != 1 or len(others) != 1:
            return None
        for place in (order - 1, order + 1):
            if 0 <= place < len(self._said) and others == set(
                self._spoken(self._said[place]).speakers
            ):
                return speakers | others if self._answering(self._said[place]) <= speakers else None
        return None

    def _answering(self, at: int) -> set[str]:
        """Those who speak right before or after the speaker more than once of late: who but happens
        to be the next of many to speak need not be in the same talk."""
        order, mine = self._order[at], set(self._spoken(at).speakers)
        near = [self._spoken(one) for one in self._said[max(0, order - _TALK) : order + _TALK + 1]]
        turns: Counter[str] = Counter()
        for one, other in pairwise(near):
            if one.number != other.number and not mine.isdisjoint(one.speakers):
                turns.update(other.speakers)
            if one.number != other.number and not mine.isdisjoint(other.speakers):
                turns.update(one.speakers)
        return {name for name, count in turns.items() if count > 1}

    def _of_the_unsaid(self, at: int, names: Sequence[str]) -> Iterator[str]:
        silent = set(names)
        for span in self._unsaid:
            if span.who in silent and span.begins <= at < span.ends:
                yield span.who

    def _not_meant(self, at: int, step: Spoken, names: Sequence[str]) -> list[str]:
        """Those who are not named, and do not answer."""
        answer = self._next(at)
        meant = {name for one in self._people.mentions(step.text) for name in one.names}
        meant.update(answer.speakers if answer else ())
        return [name for name in names if name not in meant]

    def _to_oneself(self, at: int, step: Spoken) -> bool:
        """Long, of somebody and to nobody, and nobody answers."""
        if len(step.text.split()) < _LONG or YOU.search(step.text):
            return False
        if step.audience.kind == "to" or not ABSENT.search(step.text):
            return False
        answer = self._next(at)
        return answer is not None and not YOU.search(answer.text)

    def _to_the_gone(self, at: int, step: Spoken) -> bool:
        before = self._staged[at - 1].changes if at else ()
        gone = [one for one in before if one.how == "exit"]
        return len(gone) > 1 and bool(_AFTER_THEM.search(step.text))

    def _named(self, step: Spoken, names: Sequence[str]) -> list[str]:
        if not names:
            return []
        named = {
            name
            for one in self._people.mentions(step.text)
            if one.certain and not _is_called(step.text, one.start, one.end)
            for name in one.names
        }
        return [name for name in names if name in named]

    def _next(self, at: int) -> Spoken | None:
        number = self._spoken(at).number
        for place in self._said[self._order[at] + 1 :][:_TALK]:
            if self._spoken(place).number > number:
                return self._spoken(place)
        return None

    def _spoken(self, at: int) -> Spoken:
        step = self._staged[at].step
        assert isinstance(step, Spoken)
        return step


def _apart(staged: Sequence[Staged]) -> Iterator[tuple[int, frozenset[str]]]:
    """Who is hidden at each step that one of those who are not follows with words."""
    hidden: frozenset[str] = frozenset()
    last: int | None = None
    for at, one in enumerate(staged):
        for change in one.changes:
            if change.how in ("hidden", "hide"):
                hidden |= {change.who}
            else:
                hidden -= {change.who}
        if isinstance(one.step, Spoken):
            if last is not None and not hidden & set(one.step.speakers):
                yield last, hidden
            by_hidden = hidden & set(one.step.speakers) and not one.step.voice
            last = at if by_hidden else None


def _revels(one: Staged) -> bool:
    return isinstance(one.step, Directed) and bool(_REVELS.search(one.step.text))


def _is_called(text: str, start: int, end: int) -> bool:
    """Whether a name stands between commas, as that of one who is spoken to."""
    return text[:start].rstrip()[-1:] in ("", ",", ".", ";", "!", "?", ":") and text[
        end : end + 1
    ] in ("", ",", ".", ";", "!", "?", ":")
