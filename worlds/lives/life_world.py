"""A life as a world: its traces are witnessed by their writers and readers, its evidence by nobody.

A week is an episode. What it is like inside is witnessed by nobody either, unless that is wanted: then by
the persona alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Literal

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    CharacterAdded,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    EvidenceNoted,
    Felt,
    RelationSet,
    Traced,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.lives.life import LifeEvent, LifeEvidence, LifeGraph, LifeTrace
from whoknew.worlds.lives.people import KNOWN_LATER
from whoknew.worlds.lives.weeks import WEEK, dated, named

BACK: dict[str, str] = {"mother": "child", "father": "child", "superior at work": "employee"}
"""What somebody is to one who is this to it; what it is not said of is the same both ways."""

States = Literal["nobody", "owner"]
"""Who witnesses what it is like inside."""


def world_of_life(life: LifeGraph, states: States = "nobody") -> ImportedWorld:
    """The world of a life. Traces, evidence and states keep their names as `source`."""
    return ImportedWorld(life.name, tuple(_Telling(life, states).drafts()))


def written(trace: LifeTrace) -> str:
    return dated(trace.at, trace.text)


class _Telling:
    def __init__(self, life: LifeGraph, states: States) -> None:
        self._life, self._states = life, states
        self._me = life.persona.name
        self._everybody = (self._me, *(one.name for one in life.contacts))
        self._claims = {one.id: one for one in life.evidence}
        self._seq = 0

    def drafts(self) -> Iterator[Draft]:
        for draft in self._events():
            self._seq += 1
            yield draft

    def _events(self) -> Iterator[Draft]:
        life = self._life
        weeks = -(-((life.ends - life.begins).days + 1) // 7)
        start = datetime.combine(life.begins, time())
        yield Draft(WorldOpened(life.name, life.seed, planned=weeks), start)
        yield from self._people()
        events, traces = _by_day(life.events), _by_day(life.traces)
        for week in range(weeks):
            first = life.begins + week * WEEK
            yield self._of_week(EpisodeOpened(named(first), order="as-written"), first, week + 1)
            for number in range(7):
                day = first + timedelta(days=number)
                yield from self._day(day, events.get(day, []), traces.get(day, []), week + 1)
            closed = EpisodeClosed("the week ends")
            yield self._of_week(closed, first + WEEK, week + 1)

    def _people(self) -> Iterator[Draft]:
        persona, contacts = self._life.persona, self._life.contacts
        yield Draft(CharacterAdded(persona.name, persona.profile), witnesses=(persona.name,))
        for one in contacts:
            yield Draft(CharacterAdded(one.name, one.text), witnesses=(one.name,))
        for one in contacts:
            if one.role in KNOWN_LATER:
                continue
            mine, back = one.relation, BACK.get(one.relation, one.relation)
            if one.relation in ("sister", "brother"):
                back = "sister" if persona.woman else "brother"
            yield Draft(RelationSet(persona.name, one.name, mine), witnesses=(persona.name,))
            yield Draft(RelationSet(one.name, persona.name, back), witnesses=(one.name,))
            yield Draft(Described(one.name, one.text), witnesses=(persona.name,))
            yield Draft(Described(persona.name, persona.public), witnesses=(one.name,))

    def _of_week(self, body: EpisodeOpened | EpisodeClosed, day: date, week: int) -> Draft:
        at = datetime.combine(day, time())
        return Draft(body, at, episode=week, witnesses=self._everybody)

    def _day(
        self, day: date, events: list[LifeEvent], traces: list[LifeTrace], week: int
    ) -> Iterator[Draft]:
        """What is written, then how it is inside, then what that day has shown, by which traces."""
        shown: dict[str, list[int]] = defaultdict(list)
        for turn, trace in enumerate(traces, start=1):
            for name in trace.evidence:
                shown[name].append(self._seq + 1)
            yield Draft(
                Traced(trace.medium, written(trace), trace.audience),
                trace.at,
                episode=week,
                turn=turn,
                actor=trace.writer,
                witnesses=(trace.writer, *trace.audience),
                source=trace.id,
            )
        late = datetime.combine(day, time(23, 59, 59))
        for event in events:
            yield self._felt(event, late, week)
        for name, seqs in shown.items():
            yield self._noted(self._claims[name], seqs, late, week)

    def _felt(self, event: LifeEvent, at: datetime, week: int) -> Draft:
        now = event.after
        body = Felt(now.energy, now.stress, now.emotion, now.focus, now.arcs)
        seen = (self._me,) if self._states == "owner" else ()
        return Draft(body, at, episode=week, actor=self._me, witnesses=seen, source=event.id)

    def _noted(self, one: LifeEvidence, seqs: list[int], at: datetime, week: int) -> Draft:
        return Draft(EvidenceNoted(one.claim), at, episode=week, about=tuple(seqs), source=one.id)


def _by_day(some: tuple[LifeEvent, ...] | tuple[LifeTrace, ...]) -> dict[date, list]:  # type: ignore[type-arg]
    found: dict[date, list] = defaultdict(list)  # type: ignore[type-arg]
    for one in some:
        found[one.at.date()].append(one)
    return found
