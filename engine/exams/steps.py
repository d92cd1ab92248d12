"""Where the steps of a derived memory end: with the episodes of its character, and where there are
none, whenever enough was read; or, of a memory that keeps something before each turn, before each of its
character's actions. What somebody writes in its life was no turn: of that the first in an episode counts."""

from __future__ import annotations

from whoknew.agents.lines import line
from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.agents.models.model import tokens_of
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Traced

STRETCH = 4000
"""Tokens. Where a life has no episodes, one step is as long: about what a scene of a play takes."""

STEPS = {"version": 1, "tokens": STRETCH}
"""What decides where steps end: raise the version when the same view comes to others."""


STEPS_BEFORE_TURNS = {"version": 3, "before": "actions"}
"""The same of memories that keep something before each turn.

1: where a character kept such notes itself, while it was played, they were taken, and none derived."""


class Steps:
    """The fold of a view, event by event, into stretches: each is an episode, or some of what lies
    outside of them. A stretch is over for its character when the next one begins: so no step
    hangs on what comes later (law 3), or on the end of an episode that it did not witness (law 4)."""

    def __init__(self) -> None:
        self._now = self._outside = self._tokens = 0
        self._wrote: set[str] = set()
        """Who has written something in this stretch."""

    def number(self, event: Event) -> int:
        """Of the stretch that an event, the next of the view, belongs to: that of its episode, one
        below zero outside of episodes, and 0 for what belongs to none: who somebody is."""
        if event.episode or not line(1, event):
            return event.episode
        goes_on = self._now < 0 and self._tokens < STRETCH
        return self._now if goes_on else -(self._outside + 1)

    def ends_before(self, number: int) -> bool:
        """Whether an event of this number begins another stretch, and ends one."""
        return bool(number and self._now) and number != self._now

    def turns(self, event: Event) -> tuple[str, ...]:
        """Who acts in this event, and so had its turn before it."""
        if not self._now:
            return ()
        if not isinstance(event.body, Traced) or self.number(event) != self._now:
            return actors(event)
        return tuple(who for who in actors(event) if who not in self._wrote)

    def take(self, event: Event, number: int) -> None:
        if number < 0:
            tokens = tokens_of(event.text)
            self._tokens = tokens + (self._tokens if number == self._now else 0)
            self._outside = -number
        if number != self._now:
            self._wrote.clear()
        if isinstance(event.body, Traced):
            self._wrote.update(actors(event))
        self._now = number or self._now
