"""Who may not have heard a speech, though it is taken that they did, or the other way round: what
the text leaves open. A doubt changes nothing of who witnesses what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from whoknew.worlds.importers.play.audience import ABSENT, YOU
from whoknew.worlds.importers.play.changes import Span, Staged
from whoknew.worlds.importers.play.confidences import confidences, words_apart
from whoknew.worlds.importers.play.newcomers import newly_come
from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.steps import Directed, Spoken

_REVELS = re.compile(
    r"\b(?:dance|dances|banquet|feast|revels|carouse|masked|masks)\b", re.IGNORECASE
)
_OVER = re.compile(r"\b(?:depart|vanish\w*|disappear\w*|exeunt)\b", re.IGNORECASE)
_MOST = 3
"""So many who go end a feast."""
_LISTENER = re.compile(
    r"\b(?:hid|hidden|hides|hide|couched|behind|lurk\w*|o'erhear\w*|overhear\w*|listen\w*|h(?:is|er) ear"
    r"|hears? (?:us|our|what we))\b",
    re.IGNORECASE,
)
_SNARE = re.compile(
    r"\b(?:bait\w*|hook\w*|lim(?:ed|'d)|lime-?twig\w*|snare\w*|trap|net|gull\w*|angl\w+|woodcock|fish will)\b",
    re.IGNORECASE,
)
"""How those speak of a listener who know of it."""
_O = re.compile(r"\bO,? (?:\w+ )?$")
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
        self._confidences: dict[int, list[tuple[set[str], str]]] = {}
        spoken = [(at, one.step) for at, one in enumerate(staged) if isinstance(one.step, Spoken)]
        for at, names, why in confidences(spoken, people):
            self._confidences.setdefault(at, []).append((names, why))
        self._words_apart = dict(words_apart(spoken))
        self._newly = dict(newly_come(staged, people))
        self._since = list(_since(staged))
        self._revels = _revels(staged)

    def of(self, at: int, there: Sequence[str]) -> dict[str, str]:
        """Of whom on stage it is open whether they hear what is said at a step, and why."""
        step = self._staged[at].step
        if not isinstance(step, Spoken) or step.everybody:
            return {}
        if step.unsure:
            beside = [name for name in there if name not in (*step.speakers, *step.to)]
            return dict.fromkeys(beside, "it goes on after an aside")
        if step.audience.kind == "aside":
            return {}
        talking = self._talking(at)
        apart = [name for name in there if name not in talking]
        silent = [name for name in there if name not in step.speakers]
        found: dict[str, str] = {}
        found |= dict.fromkeys(self._of_the_unsaid(at, silent), "no direction says when")
        if self._to_oneself(at, step):
            found |= dict.fromkeys(apart, "it may be said to oneself")
        elif self._to_the_absent(at, step, there):
            found |= dict.fromkeys(silent, "it is said to one who is not there")
        if self._to_the_gone(at, step):
            found |= dict.fromkeys(silent, "it is said to those who have just gone")
        if _IN_AN_EAR.search(step.text):
            found |= dict.fromkeys(self._not_meant(at, step, silent), "it is said in an ear")
        if at in self._apart and step.speakers[0] in self._apart[at]:
            seen = [name for name in silent if name not in self._apart[at]]
            if not self._is_shown_later(step.speakers[0], at):
                found |= dict.fromkeys(seen, "it is said by one who stands apart")
        if at in self._revels:
            pair = self._pair(at)
            beside = [name for name in there if name not in (pair or talking)]
            found |= dict.fromkeys(beside, "several talk at once")
        for names, why in self._confidences.get(at, ()):
            found |= dict.fromkeys([name for name in silent if name in names], why)
        if talkers := self._words_apart.get(at):
            beside = [name for name in silent if name not in talkers]
            found |= dict.fromkeys(beside, "it may be a word apart")
        spoken_of = _LISTENER.search(step.text) or _SNARE.search(step.text)
        if spoken_of and not {*step.speakers} & self._since[at].keys():
            listening = [name for name in silent if name in self._since[at]]
            found |= dict.fromkeys(listening, "they are spoken of")
        newly = self._newly.get(at, ())
        found |= dict.fromkeys([one for one in silent if one in newly], "some have just come in")
        if len(talking) == 2:
            found |= dict.fromkeys(self._named(step, apart), "they are spoken of")
        elif pair := self._pair(at):
            beside = [name for name in there if name not in pair]
            found |= dict.fromkeys(self._named(step, beside), "they are spoken of")
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

    def _is_shown_later(self, name: str, at: int) -> bool:
        """Whether a direction brings somebody forth who is hidden: nobody saw them before."""
        for one in self._staged[at + 1 :]:
            for change in one.changes:
                if change.who == name:
                    return change.how == "show" and isinstance(one.step, Directed)
        return False

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

    def _to_the_absent(self, at: int, step: Spoken, there: Sequence[str]) -> bool:
        """Whether it calls one who is not there, and nobody answers before the speaker goes."""
        following = self._staged[at + 1 : at + 2]
        if not any(
            one.who in step.speakers and one.how == "exit"
            for now in following
            for one in now.changes
        ):
            return False
        return any(
            one.certain
            and not {*one.names} & {*there}
            and _O.search(step.text[: one.start][-_LONG:])
            for one in self._people.mentions(step.text)
        )

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


def _since(staged: Sequence[Staged]) -> Iterator[dict[str, int]]:
    """Since when each is hidden who is, at each step."""
    hidden: dict[str, int] = {}
    for at, one in enumerate(staged):
        changed = {change.who: change.how in ("hidden", "hide") for change in one.changes}
        if changed:
            hidden = {name: place for name, place in hidden.items() if name not in changed}
            hidden |= {name: at for name, hides in changed.items() if hides}
        yield hidden


def _revels(staged: Sequence[Staged]) -> set[int]:
    """The steps in which many talk at once: from where there is a feast or a dance until most go."""
    found: set[int] = set()
    going_on = False
    for at, one in enumerate(staged):
        if isinstance(one.step, Directed):
            gone = sum(change.how == "exit" for change in one.changes)
            if gone >= _MOST or _OVER.search(one.step.text):
                going_on = False
            elif _REVELS.search(one.step.text):
                going_on = True
        elif going_on:
            found.add(at)
    return found


def _is_called(text: str, start: int, end: int) -> bool:
    """Whether a name stands between commas, as that of one who is spoken to."""
    return text[:start].rstrip()[-1:] in ("", ",", ".", ";", "!", "?", ":") and text[
        end : end + 1
    ] in ("", ",", ".", ";", "!", "?", ":")
