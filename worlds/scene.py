"""An episode as it stands: the fold of its events so far, which is all that a turn depends on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    Entered,
    EpisodeOpened,
    EpisodeResumed,
    Failed,
    Left,
    Narrated,
    Seen,
)
from whoknew.worlds.bearings import Bearings
from whoknew.worlds.conditions import Conditions
from whoknew.worlds.reach import Reach
from whoknew.worlds.stage import Stage

Offer = dict[str, dict[str, int]]

ATTEMPT = "attempt"
"""What failed where somebody is to be asked anew: a turn, or a memory, that is still to be had."""


STIRS = frozenset((Entered, Left, Became, Narrated))
"""After any of these it is not for nothing that others wait."""

CHANGES = STIRS | {Seen, EpisodeResumed, Failed}
"""What a scene is otherwise after, besides an act, which most events are."""


NO_TURN = (0, 0)
"""Of one who saw nobody act: no turn is the newest, and none was seen."""


class Scene:
    """`turn` is the newest turn of which anything happened; `played` says whether its actors have
    had it. The rest is what orders and stops ask for. `conditions` are those of the world as the
    episode opens."""

    def __init__(
        self,
        event: Event | Draft,
        reach: Reach | None = None,
        conditions: Conditions | None = None,
    ) -> None:
        opened, began = event.body, event.at
        assert isinstance(opened, EpisodeOpened)
        assert began is not None
        self.number, self.opened = event.episode, opened
        self.now: datetime = began
        self.place = event.place
        known = conditions.copy() if conditions else None
        self.stage = Stage(opened.cast, event.place, reach, known)
        self.told = set(event.witnesses)
        """Who was told what there is to see."""
        self.seats: list[str] = list(opened.cast)
        """All who have been in it, in the order of their coming: a seat is kept when one goes."""
        self.moves = -1
        """How often somebody came, went, or was otherwise than before."""
        self.present: tuple[str, ...]
        """Those who are there, in the order of their seats."""
        self.awake: tuple[str, ...]
        """Those of them who may act."""
        self._bearings: dict[str, Bearings]
        self._move()
        self.turn = 0
        self.played = True
        self.failed = Counter[str]()
        """How many turns of each could not be had."""
        self.last_actor: str | None = None
        self.stale = 0
        self.offer: Offer = {}
        self.agreed: frozenset[str] = frozenset()
        self.offered = set[str]()
        """Who has perceived any offer."""
        self._offered_to: frozenset[str] = frozenset()
        """Who perceived the offer, and can agree to it in a later turn."""
        self._offered_in = 0
        """The turn in which it was made: whoever acts in the same does not know of it yet."""
        self._resumed = 0
        """After which turn those began that its limit is for."""
        self._seen: dict[str, tuple[int, int]] = {}
        """Of each, the newest turn in which it saw somebody act, and how many those were."""
        self._idle = True
        self._stale_before = 0

    @property
    def done(self) -> bool:
        """Whether its newest turn is over: its actors have had it, or nobody is there to have it."""
        return self.played or not self.awake

    @property
    def settled(self) -> bool:
        """Whether everybody who is to get something, and everybody here, accepts the offer."""
        return bool(self.offer) and self.agreed.issuperset({*self.offer, *self.present})

    def bearings(self, who: str) -> Bearings:
        """How somebody finds itself placed: looked for once, until somebody moves."""
        if who not in self._bearings:
            self._bearings[who] = Bearings.of(self.stage, who)
        return self._bearings[who]

    def turns_left(self, who: str) -> int | None:
        """How many turns are left at most, as far as somebody can tell: nothing is known to it of
        those in which it saw nobody act (law 4)."""
        limit = self.opened.turn_limit
        _, seen = self._seen.get(who, NO_TURN)
        return None if limit is None else limit - self._resumed - seen

    def take(self, event: Event | Draft) -> None:
        body = event.body
        if type(body) is Failed and body.what == ATTEMPT:
            return
        self.now = event.at or self.now
        if event.turn > self.turn:
            self.turn, self.played = event.turn, False
            self._stale_before = self.stale
        if type(body) is Acted:
            self._acted(event.actor, body, event.witnesses)
            self._witnessed(event.witnesses)
        elif type(body) in CHANGES:
            self._change(event)

    def _change(self, event: Event | Draft) -> None:
        if type(event.body) in STIRS:
            self.stale = self._stale_before = 0
        match event.body:
            case Entered(hidden) if event.actor:
                self.stage.enter(event.actor, event.place, hidden=hidden)
                if event.actor not in self.seats:
                    self.seats.append(event.actor)
                self._move()
            case Left() if event.actor:
                self.stage.leave(event.actor)
                self._move()
            case Became(state) if event.actor:
                self.stage.conditions.become(event.actor, state)
                self._move()
            case Narrated(text) if text == self.opened.scenario:
                self.told.update(event.witnesses)
            case Seen():
                self._witnessed(event.witnesses)
            case EpisodeResumed(order, turns, stale):
                limits = {"order": order, "turn_limit": turns, "stale_limit": stale}
                self.opened, self.stale = replace(self.opened, **limits), 0
                self._resumed, self._seen = event.turn, {}
            case Failed("turn"):
                self.played, self.last_actor = True, event.actor
                self.failed[event.actor or ""] += 1

    def _move(self) -> None:
        """Who is there, and how they find themselves placed, is as it is now until the next move."""
        self.moves += 1
        there = self.stage.present
        self.present = tuple(name for name in self.seats if name in there)
        self.awake = tuple(filter(self.stage.conditions.awake, self.present))
        self._bearings = {}

    def _acted(self, actor: str | None, acted: Acted, witnesses: Sequence[str]) -> None:
        idle = acted.act == "none" and not acted.agrees and not acted.offer
        self._idle = idle and (self._idle or not self.played)
        self.stale = self._stale_before + 1 if self._idle else 0
        self.played, self.last_actor = True, actor
        if acted.offer:
            self.offer = acted.offer
            self.agreed = frozenset({actor} if actor else ())
            self._offered_to, self._offered_in = frozenset(witnesses), self.turn
            self.offered.update(witnesses)
        elif acted.agrees and actor in self._offered_to and self.turn > self._offered_in:
            self.agreed |= {actor}

    def _witnessed(self, witnesses: Sequence[str]) -> None:
        seen, turn = self._seen, self.turn
        for who in witnesses:
            newest, turns = seen.get(who, NO_TURN)
            if newest < turn:
                seen[who] = turn, turns + 1
