"""Sentences that are not so: of one that is, with one slot filled otherwise, by the paper's six
strategies, each by a rule that the log vouches for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.judges.moment import KNOWING
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.words import terms, words

CHARACTER = "another character"
OBJECT = "another object"
PLACE = "another place"
ACTION = "another action"
ADDED = "somebody who is not there"
STRATEGIES = (CHARACTER, OBJECT, PLACE, ACTION, ADDED, KNOWING)

ACTIONS = ("wrote on the wall", "spelt out with matches", "carved into a table")
"""What nobody did who spoke."""

STRANGERS = (
    "Perpetua Hask",
    "Aldous Fennimore",
    "Quillon Brede",
    "a tame heron",
    "a brass sextant",
)
"""Whom and what hardly any world has."""

_NOUN = re.compile(
    r"\b(?P<article>the|this|that|my|thy|your|his|her|our|their|an?) (?P<noun>[a-z]{3,})"
    r"(?=[,.;:!?]|$| (?:of|in|on|at|to|for|with|from|by|that|is|was|and|or|has|will|shall)\b)"
)
"""A word that stands where only a noun can: between what goes before one, and what follows one."""


class FalseEvent(Struct, frozen=True, kw_only=True):
    """An `event` as it was not: its `slot` holds `false` in the place of `true`, which is nothing where
    something was added. Of what somebody did not know the slot holds that, and `false` says who knew it."""

    strategy: str
    slot: str
    event: AskedEvent
    true: str
    false: str


class FalseWorld:
    """What events of a world can be told falsely with."""

    def __init__(
        self, events: Sequence[AskedEvent], people: Sequence[str], spoken: frozenset[str]
    ) -> None:
        """`people` are those who could have done it, `spoken` all words of the world."""
        self._events, self._people = events, people
        self._places = sorted({one.place for one in events if one.place})
        self._nouns = _nouns(events)
        self._strangers = [one for one in STRANGERS if spoken.isdisjoint(_telling(one))]
        self._unknown: dict[tuple[str, int, str], list[AskedEvent]] = {}
        """What somebody did not know at a point, and who is asked can say so, in the order of the story: it
        takes a look at all that came before."""

    def told_by(
        self, strategy: str, event: AskedEvent, draw: Random, then: Knowledge, asked: str = ""
    ) -> FalseEvent | None:
        """An event falsely by one strategy, if the event has it. `then` is what was known when it
        happened; if somebody is `asked`, it is told so that they can deny it by what they heard."""
        if strategy == KNOWING:
            found = self._what_it_did_not_know(event, draw, then, asked)
        else:
            found = self._strategies[strategy](event, draw)
        if found is None:
            return None
        slot, true, value = found
        false = value if isinstance(value, str) else f"{event.who} knew by then that {value.told()}"
        if slot == "quote":
            value = _with(event.quote, true, false)
        return FalseEvent(
            strategy=strategy,
            slot=slot,
            event=replace(event, **{slot: value}),
            true=true,
            false=false,
        )

    @cached_property
    def _strategies(self) -> Mapping[str, Telling]:
        return {
            CHARACTER: self._another_character,
            OBJECT: self._another_object,
            PLACE: self._another_place,
            ACTION: lambda event, draw: ("did", event.did, draw.choice(ACTIONS)),
            ADDED: self._a_stranger,
        }

    def _another_character(self, event: AskedEvent, draw: Random) -> Slot | None:
        others = [one for one in self._people if one != event.who and one not in event.to]
        return ("who", event.who, draw.choice(others)) if others else None

    def _another_object(self, event: AskedEvent, draw: Random) -> Slot | None:
        for found in _things(event):
            article, held = found["article"], set(words(event.quote))
            others = [one for one in self._nouns.get(_sort(article), ()) if one not in held]
            if others:
                return "quote", found[0], f"{article} {draw.choice(others)}"
        return None

    def _another_place(self, event: AskedEvent, draw: Random) -> Slot | None:
        here = set(terms(event.place))
        others = [one for one in self._places if here.isdisjoint(terms(one))]
        return ("place", event.place, draw.choice(others)) if event.place and others else None

    def _a_stranger(self, event: AskedEvent, draw: Random) -> Slot | None:
        return ("beside", "", draw.choice(self._strangers)) if self._strangers else None

    def _what_it_did_not_know(
        self, event: AskedEvent, draw: Random, then: Knowledge, asked: str
    ) -> Slot | None:
        """Something earlier that it neither witnessed nor was told of. Of oneself anybody can say so; of
        another, who heard it and saw that the other was not there."""
        who, upto = event.who, then.cursor.seq
        if (who, upto, asked) not in self._unknown:
            self._unknown[who, upto, asked] = [
                one
                for one in self._events
                if one.seq <= upto
                and who not in one.unsure
                and (asked in ("", who) or asked in one.heard)
                and then.of(one.seq, who).answer == "absent"
            ]
        unknown = self._unknown[who, upto, asked]
        earlier = bisect_left(unknown, event.seq, key=lambda one: one.seq)
        return ("knowing", "", unknown[draw.choice(range(earlier))]) if earlier else None


Slot = tuple[str, str, str | AskedEvent]
"""Which it is, what is so, and what is not."""

Telling = Callable[[AskedEvent, Random], Slot | None]


def _nouns(events: Sequence[AskedEvent]) -> dict[str, list[str]]:
    """Those that are quoted, by what goes before them."""
    found: dict[str, set[str]] = {}
    for event in events:
        for one in _things(event):
            found.setdefault(_sort(one["article"]), set()).add(one["noun"])
    return {article: sorted(some) for article, some in found.items()}


def _things(event: AskedEvent) -> Iterator[re.Match[str]]:
    """What is quoted and can be another: no word that stands everywhere."""
    return (found for found in _NOUN.finditer(event.quote) if terms(found["noun"]))


def _with(quote: str, true: str, false: str) -> str:
    """A quote with one thing another: where it stands as words of its own."""
    return re.sub(rf"\b{re.escape(true)}\b", lambda _: false, quote, count=1)


def _sort(article: str) -> str:
    """After `a` no word stands that needs `an`."""
    return article if article in ("a", "an") else "the"


def _telling(text: str) -> list[str]:
    return [word for word in words(text) if len(word) > 1]
