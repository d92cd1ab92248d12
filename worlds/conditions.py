"""Who is deaf, blind, asleep or invisible, and what they miss by it: a fold of the events that say so.

Each lasts until an event ends it; sleep also ends with the episode.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Became, EpisodeClosed, State

Condition = Literal["asleep", "deaf", "blind", "invisible"]

ENDS: Mapping[State, Condition] = {
    "awake": "asleep",
    "hearing": "deaf",
    "seeing": "blind",
    "visible": "invisible",
}
"""Which condition each of these states is the end of."""


NONE: frozenset[Condition] = frozenset()


class Conditions:
    """The conditions of all characters of a world, as far as they have any."""

    def __init__(self, of: Mapping[str, frozenset[Condition]] | None = None) -> None:
        self._of = dict(of or {})

    def copy(self) -> Conditions:
        return Conditions(self._of)

    def of(self, who: str) -> frozenset[Condition]:
        return self._of.get(who, NONE)

    def awake(self, who: str) -> bool:
        """Who fell asleep counts as asleep until an event wakes it, or its episode is over."""
        return who not in self._of or "asleep" not in self._of[who]

    def hears(self, who: str) -> bool:
        """Whether somebody hears: who is asleep or deaf misses what is said."""
        return who not in self._of or self._of[who].isdisjoint(("asleep", "deaf"))

    def sees(self, who: str) -> bool:
        """Whether somebody sees: who is asleep or blind misses what is done."""
        return who not in self._of or self._of[who].isdisjoint(("asleep", "blind"))

    def visible(self, who: str) -> bool:
        return who not in self._of or "invisible" not in self._of[who]

    def is_new(self, who: str, state: State) -> bool:
        """Whether it would be otherwise with somebody then."""
        return self._after(who, state) != self.of(who)

    def become(self, who: str, state: State) -> None:
        self._of[who] = self._after(who, state)

    def take(self, event: Event | Draft) -> None:
        if type(event.body) is Became and event.actor:
            self.become(event.actor, event.body.state)
        elif type(event.body) is EpisodeClosed:
            for who in self._of:
                self.become(who, "awake")

    def _after(self, who: str, state: State) -> frozenset[Condition]:
        match state:
            case "asleep" | "deaf" | "blind" | "invisible":
                return self.of(who) | frozenset[Condition]((state,))
            case _:
                return self.of(who) - {ENDS[state]}
