"""A life as a graph: who lives it, the arcs that it goes through, what happens, what that shows, and the
traces that it leaves.

All of it is data. Everything that happens is made together with its evidence; every trace cites the
evidence that it shows, and a piece of evidence may be shown by several traces.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

from whoknew.worlds.lives.bank import Dimension

Medium = Literal[
    "diary", "memo", "search", "calendar", "photo", "post", "e-mail", "private message"
]

OWN: frozenset[Medium] = frozenset(("diary", "memo", "search", "calendar", "photo"))
"""What nobody but its writer sees."""

EventSort = Literal[
    "turn", "arc", "echo", "shown", "everyday", "habit", "wish", "settled", "kept", "errand"
]


class LifePersona(Struct, frozen=True, kw_only=True):
    """Who lives it. `traits` are the big five, each from 1 to 5."""

    name: str
    age: int
    woman: bool
    town: str
    job: str
    traits: dict[str, int]
    profile: str
    public: str
    """As much as those know who know it."""


class LifeContact(Struct, frozen=True, kw_only=True):
    """Somebody whom it knows, in a `role` of its life."""

    role: str
    name: str
    woman: bool
    relation: str
    text: str


class ToldTwice(Struct, frozen=True):
    """The same of the persona as it is told of (`claim`), and as it is asked (`asked`)."""

    claim: str
    asked: str


class LifeStanding(Struct, frozen=True, kw_only=True):
    """A detail while a state lasts; `others` are values that it could have."""

    topic: str
    ask: str
    value: str
    others: tuple[str, ...]
    claim: str


class ArcState(Struct, frozen=True, kw_only=True):
    """Where an arc stands from the day on which it `begins`. `evidence` says so, and by what."""

    state: ToldTwice
    feeling: str
    trigger: ToldTwice
    shown: ToldTwice
    hush: str
    guesses: tuple[str, ...] = ()
    """What one might answer to `hush`, which nothing tells."""
    begins: date
    event: str
    evidence: str
    cause: str
    now: LifeStanding | None = None
    now_evidence: str = ""
    passes: bool = False
    """It ends by itself, as an injury does."""


class LifeArc(Struct, frozen=True, kw_only=True):
    """A way through states, in this order."""

    id: str
    dimension: Dimension
    title: ToldTwice
    states: tuple[ArcState, ...]


class MajorEvent(Struct, frozen=True, kw_only=True):
    """An arc moves on: and where each arc stands from then on, by its number, from 0."""

    event: str
    day: date
    arc: str
    into: int
    stands: dict[str, int]


class LifeSnapshot(Struct, frozen=True, kw_only=True):
    """How it is inside. Energy and stress are from 0 to 1."""

    energy: float
    stress: float
    emotion: str
    focus: str
    arcs: dict[str, str]


class LifePhase(Struct, frozen=True, kw_only=True):
    """A stretch of days between major events, with the events in it."""

    id: str
    name: Literal["turning", "settling"]
    major: str
    begins: date
    ends: date
    events: tuple[str, ...]
    before: LifeSnapshot
    after: LifeSnapshot


class LifeDetail(Struct, frozen=True, kw_only=True):
    """What can be asked of an event, the answer, and others that it could have been."""

    ask: str
    answer: str
    others: tuple[str, ...]


class LifeEvent(Struct, frozen=True, kw_only=True):
    """Something that happens, made together with its evidence. `of` is what it belongs to: an arc, a
    habit, a wish."""

    id: str
    at: datetime
    sort: EventSort
    of: str
    evidence: tuple[str, ...]
    before: LifeSnapshot
    after: LifeSnapshot
    detail: LifeDetail | None = None


class LifeEvidence(Struct, frozen=True, kw_only=True):
    """What is so: a fact, what somebody felt, or thought."""

    id: str
    sort: Literal["fact", "emotion", "opinion"]
    claim: str
    event: str


class LifeTrace(Struct, frozen=True, kw_only=True):
    """What a life leaves behind. First comes what for, to whom, and what it shows; then its text."""

    id: str
    at: datetime
    medium: Medium
    writer: str
    audience: tuple[str, ...]
    intent: str
    evidence: tuple[str, ...]
    text: str


class LifeHabit(Struct, frozen=True, kw_only=True):
    """What it does whenever there is reason to, and on which days it did."""

    id: str
    dimension: Dimension
    when: str
    does: str
    others: tuple[str, ...]
    events: tuple[str, ...]


class LifeWish(Struct, frozen=True, kw_only=True):
    """What it looks for and never does."""

    id: str
    title: str
    deed: str
    hush: str
    guesses: tuple[str, ...]
    events: tuple[str, ...]


class SettledValue(Struct, frozen=True, kw_only=True):
    """What holds of a matter from the day on which it `begins`; `evidence` says so."""

    value: str
    begins: date
    event: str
    evidence: str


class LifeMatter(Struct, frozen=True, kw_only=True):
    """What is settled, and settled anew later: in this order. `others` are values that it could have."""

    id: str
    dimension: Dimension
    ask: str
    settled: tuple[SettledValue, ...]
    others: tuple[str, ...]


class LifeGraph(Struct, frozen=True, kw_only=True):
    """A whole life, in the order of its days."""

    name: str
    seed: int
    begins: date
    ends: date
    persona: LifePersona
    contacts: tuple[LifeContact, ...]
    arcs: tuple[LifeArc, ...]
    habits: tuple[LifeHabit, ...]
    wishes: tuple[LifeWish, ...]
    majors: tuple[MajorEvent, ...]
    phases: tuple[LifePhase, ...]
    events: tuple[LifeEvent, ...]
    evidence: tuple[LifeEvidence, ...]
    traces: tuple[LifeTrace, ...]
    matters: tuple[LifeMatter, ...] = ()
