"""What a world has come to in figures: one fold of its events, from which every report takes them."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Self

import msgspec
from msgspec import Struct

from whoknew.engine.playing.spent import AT_EPISODES, NO_COST, Cost, Spent, at_characters
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    ArmAdded,
    Called,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    Imported,
    ScenePlayed,
    WorldForked,
    WorldOpened,
    WriterAdded,
)
from whoknew.eventlog.machinery import CallStarted

if TYPE_CHECKING:  # whoever only looks at a world needs no plan
    from whoknew.engine.plan.plan import Scope

COUNTED = frozenset(
    (
        CallStarted,
        Failed,
        EpisodeOpened,
        EpisodeClosed,
        CharacterAdded,
        WorldOpened,
        Imported,
        WorldForked,
        ArmAdded,
        WriterAdded,
        Answered,
        ScenePlayed,
    )
)
"""What counts besides calls and acts, which most events are: to `match` takes as long as ten times to
look at a type."""

Turn = tuple[int, int]
"""An episode and a turn of it."""


class Tally(Struct):
    """A turn counts when somebody had it, whether or not it came to an act; where all act at once,
    there are several acts to a turn. What was asked of a world afterwards is no part of what its
    story took, nor is what failed of it: `asked` stands beside `spent`. An exam has no story: all
    calls are what it took."""

    title: str = ""
    origin: Literal["", "imported", "fork", "exam"] = ""
    characters: list[str] = msgspec.field(default_factory=list)
    planned: int | None = None
    """How many episodes are to be played, where somebody said."""
    opened: int = 0
    closed: int = 0
    cells: int = 0
    """Of an exam, how many were answered, or played."""
    turns: int = 0
    acts: int = 0
    failed: Counter[str] = msgspec.field(default_factory=Counter)
    """How often what could not be had: a call, a turn, a memory, a review, an answer."""
    at_limits: Counter[Scope] = msgspec.field(default_factory=Counter)
    """How many episodes ended, and how many turns were passed over, at a limit of theirs."""
    why: str = ""
    """What was wrong where something could not be had last."""
    spent: Spent = msgspec.field(default_factory=Spent)
    asked: Spent = msgspec.field(default_factory=Spent)
    started: dict[str, list[Cost]] = msgspec.field(default_factory=dict)
    """Calls that were started and have not been written down as made, by their digests, with what each
    may have taken."""
    said: str = ""
    """The newest act that has words, with who did it."""
    last: datetime | None = None
    """When the newest event was recorded."""
    newest: dict[str, Turn] = msgspec.field(default_factory=dict)
    """The turn that was had last, in each world."""

    @property
    def failures(self) -> int:
        return self.failed.total()

    @property
    def money(self) -> float | None:
        """None where the price of a call is not known."""
        return None if self.spent.unpriced else self.spent.money

    def take(self, event: Event | Draft, world: str = "") -> None:
        """One more event: of the only world, or of this one among several."""
        body = event.body
        if type(body) is Called:
            own = event.cause is None or self.origin == "exam"
            (self.spent if own else self.asked).add(body)
            if own and body.reply is None:
                self.failed["call"] += 1
                self.why = body.error or ""
            if self.started and event.cause is None and not body.answered_by:
                self._made(body.digest)
        elif type(body) is Acted:
            self.acts += 1
            if body.text:
                self.said = f"{event.actor}: {body.text}"
            self._had(world, (event.episode, event.turn))
        elif type(body) in COUNTED:
            self._count(event, world)
        if type(event) is Event:
            self.last = event.recorded

    def join(self, other: Self, world: str) -> None:
        """Count in what another world has come to."""
        for field in ("opened", "closed", "turns", "acts"):
            setattr(self, field, getattr(self, field) + getattr(other, field))
        self.failed.update(other.failed)
        self.at_limits.update(other.at_limits)
        self.spent.join(other.spent)
        self.asked.join(other.asked)
        for digest, costs in other.started.items():
            self.started.setdefault(digest, []).extend(costs)
        for turn in other.newest.values():
            self.newest[world] = turn

    @property
    def unanswered(self) -> Cost:
        """What was started and has no answer on the log: it is under way, or whoever made it died."""
        return sum((one for costs in self.started.values() for one in costs), NO_COST)

    def copy(self) -> Self:
        """Another that stands where this one does."""
        return deepcopy(self)

    def _count(self, event: Event | Draft, world: str) -> None:
        match event.body:
            case CallStarted(digest=digest, tokens=tokens, money=money, key=""):
                self.started.setdefault(digest, []).append(Cost(1, tokens, money or 0.0))
            case Failed() if event.cause and not event.episode and self.origin != "exam":
                pass  # of what was asked
            case Failed(what, error):
                self.failed[what] += 1
                self.why = error
                if what == "turn":
                    self._had(world, (event.episode, event.turn))
                    self.at_limits["character"] += error.startswith(
                        at_characters(event.actor or "")
                    )
            case EpisodeOpened():
                self.opened += 1
                self.newest.pop(world, None)
            case EpisodeClosed(reason):
                self.closed += 1
                self.at_limits["episode"] += reason.startswith(AT_EPISODES)
            case CharacterAdded(name):
                self.characters.append(name)
            case WorldOpened(title, _, planned):
                self.title, self.planned = title, planned
            case Imported():
                self.origin = "imported"
            case WorldForked():
                self.origin = "fork"
            case ArmAdded() | WriterAdded():
                self.origin = "exam"
            case Answered() | ScenePlayed() if self.origin == "exam":
                self.cells += 1

    def _made(self, digest: str) -> None:
        costs = self.started.get(digest)
        if costs is not None:
            costs.pop()
            if not costs:
                del self.started[digest]

    def _had(self, world: str, turn: Turn) -> None:
        if turn[1] and self.newest.get(world) != turn:
            self.turns += 1
            self.newest[world] = turn
