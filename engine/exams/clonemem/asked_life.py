"""A life as far as it is asked about: by a date, which traces show what, and where each arc stood."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from whoknew.eventlog.words import terms
from whoknew.worlds.lives.bank import Dimension
from whoknew.worlds.lives.life import (
    ArcState,
    LifeArc,
    LifeDetail,
    LifeEvent,
    LifeGraph,
)

LifeKind = Literal[
    "single-point",
    "comparative",
    "trajectory",
    "pattern",
    "causal",
    "counterfactual",
    "inferential",
    "unanswerable",
]

KINDS: tuple[LifeKind, ...] = (
    "single-point",
    "comparative",
    "trajectory",
    "pattern",
    "causal",
    "counterfactual",
    "inferential",
    "unanswerable",
)

DAY = timedelta(days=1)

UPDATED = "updated"
"""The tag of what holds now and was otherwise before."""

OLD = "older"
"""The label with the answers that were right then."""


class Month(Struct, frozen=True, order=True):
    """A month of a life."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> Month:
        return cls(day.year, day.month)

    @property
    def first(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last(self) -> date:
        return self.after.first - DAY

    @property
    def after(self) -> Month:
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    def __str__(self) -> str:
        return f"{self.first:%B %Y}"


class LifeItem(Struct, frozen=True, kw_only=True):
    """What could be asked: `wrong` are answers that are not right, the likeliest first. `evidence` names
    pieces of it, each a set of traces. A right answer of one that nothing tells is that it cannot be
    told. `scope` is the time that it is about, `outline` what it wants to know."""

    kind: LifeKind
    dimension: Dimension
    question: str
    answer: str
    wrong: tuple[str, ...]
    evidence: tuple[str, ...]
    outline: str
    scope: tuple[date, date]
    topic: str
    known: bool = True
    tags: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    """Answers that were right once, the newest first, where it asks for what was updated."""


class LifeIndex:
    """A life, looked through once: so each date that is asked about costs what is asked there, and not
    all years before it."""

    def __init__(self, life: LifeGraph) -> None:
        self.life = life
        self.evidence = {one.id: one for one in life.evidence}
        self.days = {one.id: one.at.date() for one in life.events}
        self.of: dict[tuple[str, str], list[LifeEvent]] = defaultdict(list)
        """The events that belong to something: all, and of one sort."""
        self.details: list[LifeEvent] = []
        self.alike: dict[str, list[LifeEvent]] = defaultdict(list)
        """The events of which the same is asked."""
        for event in life.events:
            self.of[event.of, ""].append(event)
            self.of[event.of, event.sort].append(event)
            if event.detail:
                self.details.append(event)
                self.alike[event.detail.ask].append(event)
        self.traces: dict[str, list[tuple[date, str]]] = defaultdict(list)
        """Which traces show a piece of evidence, and from when on."""
        for trace in life.traces:
            for name in trace.evidence:
                self.traces[name].append((trace.at.date(), trace.id))
        self.told: dict[str, date] = {}
        """On which day a word was so for the first time."""
        for one in life.evidence:
            for term in terms(one.claim):
                day = self.days[one.event]
                self.told[term] = min(day, self.told.get(term, day))

    def by(self, until: date) -> AskedLife:
        return AskedLife(self, until)


class WordsTold:
    """The words of all that was so before a day, whenever it was."""

    def __init__(self, told: Mapping[str, date], until: date) -> None:
        self._told, self._until = told, until

    def __contains__(self, term: object) -> bool:
        return self._told.get(str(term), date.max) < self._until


class AskedLife:
    """A life up to a date, exclusively: what has happened before that day."""

    def __init__(self, index: LifeIndex, until: date) -> None:
        self._index, self.life, self.until = index, index.life, until
        self.told = WordsTold(index.told, until)

    def is_so(self, evidence: str) -> bool:
        """Whether that had come about by then."""
        return self._day(evidence) < self.until

    def claim(self, evidence: str) -> str:
        return self._index.evidence[evidence].claim

    def traces(self, evidence: str) -> list[str]:
        """Those that show it."""
        some = self._index.traces.get(evidence, [])
        return [name for _, name in some[: bisect_left(some, self.until, key=itemgetter(0))]]

    def reached(self, arc: LifeArc) -> Sequence[ArcState]:
        """The states that it has come to."""
        return [one for one in arc.states if one.begins < self.until]

    def months(self, arc: LifeArc, place: int) -> list[Month]:
        """The whole months through which it stood there, and which are over."""
        begins = arc.states[place].begins
        later = arc.states[place + 1].begins if place + 1 < len(arc.states) else date.max
        ends = min(later, self.until)
        found: list[Month] = []
        month = Month.of(begins)
        if month.first < begins:
            month = month.after
        while month.last < ends:
            found.append(month)
            month = month.after
        return found

    def changed(self, arc: LifeArc, since: date) -> bool:
        """Whether it has moved on since then."""
        return any(since <= one.begins < self.until for one in arc.states)

    def of(self, name: str, sort: str = "") -> Sequence[LifeEvent]:
        """The events that belong to something: an arc, a habit, a wish."""
        return self._before(self._index.of.get((name, sort), ()))

    def details(self, since: date) -> Iterator[tuple[LifeEvent, LifeDetail]]:
        """The events since then of which a detail is asked."""
        some = self._index.details
        for event in self._before(some)[bisect_left(some, since, key=_day) :]:
            if event.detail:
                yield event, event.detail

    def alike(self, detail: LifeDetail) -> Sequence[LifeEvent]:
        """The events of which the same is asked."""
        return self._before(self._index.alike[detail.ask])

    def newest(self, evidence: Sequence[str]) -> date | None:
        """The day of the newest event behind these."""
        return max(map(self._day, evidence), default=None)

    def _day(self, evidence: str) -> date:
        return self._index.days[self._index.evidence[evidence].event]

    def _before(self, some: Sequence[LifeEvent]) -> Sequence[LifeEvent]:
        return some[: bisect_left(some, self.until, key=_day)]


def _day(event: LifeEvent) -> date:
    return event.at.date()
