"""How a world stands: the fold of its whole log, from which a chain goes on (law 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from whoknew.engine.plan.planned import VERSION
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    GoalGiven,
    Narrated,
    Planned,
    Remembered,
    Traced,
    WorldOpened,
)
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.story import is_outside_story
from whoknew.worlds.conditions import Conditions
from whoknew.worlds.reach import Reach
from whoknew.worlds.scene import ATTEMPT, Scene

LEARNT = frozenset((Planned, WorldOpened, Described))
"""What says something of the world, or of how it is played, and nothing else does: to `match` takes as long as
ten times to look at a type."""

TEXTS = frozenset((EpisodeOpened, GoalGiven, Acted, Narrated, Traced))
"""In which somebody can be named to those who witness them."""


class ChainState:
    """`tally` is what it has come to; `scene` is the episode that is going on."""

    def __init__(self, reach: Reach | None = None) -> None:
        self.reach = reach or Reach()
        self.conditions = Conditions()
        """Who is deaf, blind, asleep or invisible."""
        self.head = 0
        self.told = 0
        """The newest event that is no call: what a turn is decided upon."""
        self.planned: Planned | None = None
        """The plan that it was played by last."""
        self.version = VERSION
        """Of the rules by which it is played: that of its first plan."""
        self.tally = Tally()
        self.described: dict[str, set[str]] | None = None
        """Who was described to each, in a world whose strangers meet."""
        self.texts: list[Event | Draft] = []
        """Those of the episode, in a world where those who are named in them are described."""
        self.scene: Scene | None = None
        self.scenarios: list[str] = []
        """The names of those that were opened."""
        self.opened_at: datetime | None = None
        self.opened_seq = 0
        self.now: datetime | None = None
        self.episode_spent = Spent()
        self.spent_by = defaultdict[str, Spent](Spent)
        self.kept_before_turn: set[str] = set()
        """Who has kept something before the turn that is to be played, or could not."""
        self.pending: list[tuple[str, Called, int]] = []
        """The answers of a turn that is not over, and what was no reply, each with whom it was given to
        (nobody: a judge), and its seq."""
        self.refused: list[tuple[str, str]] = []
        """The lines that were refused in it, each with who was not let say it."""

    @property
    def closed(self) -> int:
        """How many episodes are over."""
        return self.tally.closed

    @property
    def spent(self) -> Spent:
        return self.tally.spent

    def take(self, event: Event | Draft) -> None:
        self._outlasting(event)
        body = event.body
        if type(body) is Called:
            if event.cause is None and (body.reply is not None or body.no_reply):
                self.pending.append((event.actor or "", body, self.head))
            return
        if type(body) is LineRefused:
            self.refused.append((event.actor or "", body.text))
        if type(body) is not Acted and is_outside_story(event):
            return
        self.told = self.head
        self._settle(event)
        if self.described is not None and self.version and type(body) in TEXTS:
            self.texts.append(event)
        if type(body) is EpisodeOpened:
            self.scene = Scene(event, self.reach, self.conditions)
        elif type(body) is EpisodeClosed:
            self.scene = None
            self.texts = []
        elif self.scene is not None:
            self.scene.take(event)

    def take_all(self, events: Sequence[Event]) -> None:
        """Take in a stretch of the log. Of episodes that end in it only what outlasts them: to take one
        event by one comes to the same."""
        places = reversed(range(len(events)))
        over = next((n for n in places if type(events[n].body) is EpisodeClosed), 0)
        for event in events[:over]:
            self._outlasting(event)
        for event in events[over:]:
            self.take(event)

    def _outlasting(self, event: Event | Draft) -> None:
        """Take in what is still to be known when its episode is over."""
        self.head += 1
        self.now = event.at or self.now
        self.tally.take(event)
        body = event.body
        if type(body) is Called:
            if event.cause is None:  # with one it is a probe's
                self.episode_spent.add(body)
                self.spent_by[event.actor or ""].add(body)
        elif type(body) is not Acted:  # as most are that are no calls
            if type(body) in LEARNT:
                self._learn(event)
            if type(body) is EpisodeOpened:
                self.scenarios.append(body.name)
                self.opened_at, self.opened_seq = event.at, self.head
                self.episode_spent = Spent()
            if not is_outside_story(event):
                self.conditions.take(event)

    def _learn(self, event: Event | Draft) -> None:
        """What an event says of the world, or of how it is played."""
        match event.body:
            case Planned() as planned:
                self.version = planned.version if self.planned is None else self.version
                self.planned = planned
            case WorldOpened(meet=True):
                self.described = {}
            case Described(name) if self.described is not None:
                for who in event.witnesses:
                    self.described.setdefault(who, {who}).add(name)

    def _settle(self, event: Event | Draft) -> None:
        """With a turn its answers are done with. With a note only its own character's are, and after
        an attempt that failed those which made no sense: the others have still to use theirs."""
        body = event.body
        missing = body.what if type(body) is Failed else None
        kept = missing == "memory" or type(body) is Remembered
        if kept or missing == ATTEMPT:
            self.pending = [one for one in self.pending if one[0] != event.actor]
            self.refused = [one for one in self.refused if one[0] != event.actor]
            if kept:
                self.kept_before_turn.add(event.actor or "")
        else:
            self.pending, self.refused = [], []
            self.kept_before_turn.clear()
