"""A life: what a character's view comes to, folded event by event.

Who one is, whom one knows, which episodes one has been through, and the one that is going on. It
is a fold of the view alone, so that two views with the same events give the same life.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from whoknew.agents.lines import Line, line
from whoknew.agents.sections import Acquaintance
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    Described,
    EpisodeOpened,
    GoalGiven,
    Kind,
    PlaceAdded,
    RelationSet,
    Remembered,
)

ABOUT = frozenset((CharacterAdded, Described, RelationSet, PlaceAdded))
"""What tells of people and places, rather than of what happened."""


class Lived:
    """One episode as its character lived it: the places `first` to `last` of its view."""

    def __init__(self, number: int, first: int) -> None:
        self.number, self.first, self.last = number, first, first
        self.scenario = ""
        self.goal = ""
        self.pool: dict[str, int] = {}
        self.worth: dict[str, int] = {}
        self.events: list[Event] = []
        self.lines: list[Line] = []
        """Its events, and the same as they stand in prompts: at hand for the newest episode only."""

    @property
    def places(self) -> range:
        return range(self.first, self.last + 1)


class Life:
    """The fold of the first `upto` events of one character's view. `number` counts the episodes
    that it lived through, not those of the world."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.upto = 0
        self.myself = ""
        self.people: dict[str, str] = {}
        self.relations: dict[str, str] = {}
        self.acquaintance: tuple[Acquaintance, ...] | None = None
        """All whom it knows, put together once, until it learns more of somebody."""
        self.whereabouts: dict[str, str] = {}
        self.episodes: list[Lived] = []
        self.notes: list[tuple[int, Remembered]] = []
        """What was remembered, each with its place in the view."""
        self._world_episode = 0

    @property
    def now(self) -> Lived | None:
        """The newest episode."""
        return self.episodes[-1] if self.episodes else None

    def episode_at(self, place: int) -> Lived:
        """The episode that was under way at a place of the view: the newest that had begun by then."""
        return self.episodes[bisect_right(self.episodes, place, key=lambda one: one.first) - 1]

    async def catch_up(self, view: View) -> None:
        """Go on to the end of a view, which must not end before this life does."""
        if self.upto < len(view):
            self.extend(await view.events(self.upto))

    def extend(self, events: Sequence[Event]) -> None:
        newest = next((event.episode for event in reversed(events) if event.episode), 0)
        for event in events:
            self.upto += 1
            if type(event.body) in ABOUT:
                self._learn(event.body)
            if event.episode:
                self._live(event, at_hand=event.episode == newest)

    def _learn(self, body: Kind) -> None:
        self.acquaintance = None
        match body:
            case CharacterAdded(name, description):
                if name == self.who:
                    self.myself = description
            case Described(name, text):
                self.people[name] = text
            case RelationSet(of, to, relation):
                if of == self.who:
                    self.relations[to] = relation
            case PlaceAdded(name, description):
                self.whereabouts[name] = description

    def _live(self, event: Event, *, at_hand: bool) -> None:
        if event.episode != self._world_episode:
            self._world_episode = event.episode
            if self.episodes:
                self.episodes[-1].events, self.episodes[-1].lines = [], []
            self.episodes.append(Lived(len(self.episodes) + 1, self.upto))
        now, body = self.episodes[-1], event.body
        now.last = self.upto
        if at_hand:
            now.events.append(event)
            if told := line(self.upto, event):
                now.lines.append(told)
        if type(body) is Acted:
            return  # as most are
        if type(body) is EpisodeOpened:
            now.scenario, now.pool = body.scenario, body.pool
        elif type(body) is GoalGiven:
            now.goal, now.worth = body.goal, body.worth
        elif type(body) is Remembered:
            self.notes.append((self.upto, body))
