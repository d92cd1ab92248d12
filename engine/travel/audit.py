"""Lines that hold what whoever spoke them could not know: of all that was said, thought, written and
answered in a world."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from whoknew.engine.errors import NoPlan
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import Leak, LeakFinder, SpokenLine
from whoknew.engine.finding.records import looked_through
from whoknew.engine.plan.planned import plan_of
from whoknew.eventlog import Event, Knowledge, Log
from whoknew.eventlog.cursor import When
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    Called,
    Entered,
    EpisodeOpened,
    Probed,
    Traced,
)
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.story import is_outside_story

LIMIT = 20
"""Rows that are shown where nobody says how many."""

UNPLAYED = "as-written"
"""The order of an episode that was brought in: what happens between its scenes is not on the log."""


class AuditRow(Struct, frozen=True, kw_only=True):
    """A line that gives away an earlier or `later` event, which its speaker knew nothing of at the seq
    `upto`. `news`: in a play that was brought in, it may have heard of it off the stage."""

    line: Event
    who: str
    upto: int
    fact: Event
    later: bool
    news: bool
    score: float
    phrases: tuple[str, ...]
    why: str
    model: str = ""
    memory: str = ""


class AuditRate(Struct, frozen=True):
    """Of so many lines of a character, or by a model or memory, so many are leaks, and so many news."""

    name: str
    lines: int
    leaks: int
    news: int


class AuditReport(Struct, frozen=True, kw_only=True):
    """Of the `lines` of a world, of which `answers` were given to questions, `leaks` hold what their
    speaker could not know, at least so `sure`, and `news` more may be news from off the stage. `rows`
    are those past the first `skipped` of the `total`, leaks first, the surest first. `looked`:
    tellings were looked for in all that had happened, so that what somebody was told is no leak.
    `refused`: a guard did not let so many lines be said."""

    world: str
    upto: int
    lines: int
    answers: int
    leaks: int
    news: int
    sure: float
    total: int
    skipped: int
    rows: tuple[AuditRow, ...]
    characters: tuple[AuditRate, ...]
    models: tuple[AuditRate, ...]
    memories: tuple[AuditRate, ...]
    looked: bool
    refused: int = 0


class AuditLine(Struct, frozen=True):
    """A line, with the event that holds it, and whose model said it by which memory."""

    event: Event
    spoken: SpokenLine
    model: str = ""
    memory: str = ""


async def audit(
    log: Log,
    world: str,
    at: When = "end",
    *,
    sure: float = SURE,
    limit: int = LIMIT,
    skip: int = 0,
) -> AuditReport:
    """What of all that stands in a world up to a cursor gives away what its speaker could not know.
    Nothing is asked of a model, and nothing written."""
    director = await log.director(world, at)
    knowledge = await log.knowledge(world, director.cursor)
    events = await director.events()
    memory = await _memories(log, world, director.cursor.seq)

    def found() -> tuple[list[AuditLine], list[AuditRow]]:
        lines = list(_lines(events, memory))
        return lines, _rows(events, lines, knowledge, sure)

    lines, rows = await asyncio.to_thread(found)
    leaks = sum(not row.news for row in rows)
    return AuditReport(
        world=world,
        upto=director.cursor.seq,
        lines=len(lines),
        answers=sum(isinstance(one.event.body, Answered) for one in lines),
        leaks=leaks,
        news=len(rows) - leaks,
        sure=sure,
        total=len(rows),
        skipped=skip,
        rows=tuple(rows[skip : skip + limit]),
        characters=_rates(lines, rows, lambda one: one.spoken.who),
        models=_rates(lines, rows, lambda one: one.model),
        memories=_rates(lines, rows, lambda one: one.memory),
        looked=await looked_through(log, world, knowledge.sought, director.cursor.seq),
        refused=sum(isinstance(one.body, LineRefused) and not one.body.kept for one in events),
    )


async def _memories(log: Log, world: str, upto: int) -> Callable[[str], str]:
    """The memory of a character's seat, in a world that was played by a plan."""
    with suppress(NoPlan):
        plan = (await plan_of(log, world, upto))[0].plan
        return lambda who: plan.seat(who).memory
    return lambda who: ""


def _lines(events: Iterable[Event], memory: Callable[[str], str]) -> Iterator[AuditLine]:
    """All that a character said, did, thought, wrote or answered in words."""
    models: dict[tuple[int, int, str], str] = {}
    asked: dict[int, str] = {}
    upto: dict[int, int] = {}
    for event in events:
        who, body = event.actor or "", event.body
        match body:
            case Called(model=model):
                models[event.episode, event.turn, who] = model
                asked[event.cause or 0] = model
            case Probed():
                upto[event.seq] = body.upto
            case Answered(text) if who and event.cause in upto:
                spoken = SpokenLine(event.seq, who, text, upto[event.cause])
                yield AuditLine(event, spoken, asked.get(event.cause, ""))
            case Acted(text) | Traced(text=text) if who and text:
                spoken = SpokenLine(event.seq, who, text, event.seq)
                model = models.get((event.episode, event.turn, who), "")
                yield AuditLine(event, spoken, model, memory(who) if model else "")


def _rows(
    events: Sequence[Event], lines: Sequence[AuditLine], knowledge: Knowledge, sure: float
) -> list[AuditRow]:
    told = {
        who: {seq: known.at or 0 for seq, known in knowledge.told(who).items()}
        for who in knowledge.characters
    }
    finder = LeakFinder((event for event in events if not is_outside_story(event)), told)
    stage = Absences(events)
    rows = []
    for line in giving_way(lines):
        leak = finder.look(line.spoken)
        if leak is not None and leak.score >= sure:
            rows.append(_row(line, leak, stage))
    return sorted(rows, key=lambda row: (row.news, -row.score, row.line.seq))


def _row(line: AuditLine, leak: Leak, stage: Absences) -> AuditRow:
    who, of = leak.line.who, leak.of
    said = ", ".join(f'"{phrase}"' for phrase in leak.phrases)
    unknown = (
        "which comes later" if leak.later else f"which {who} neither witnessed nor was told of"
    )
    return AuditRow(
        line=line.event,
        who=who,
        upto=leak.line.upto,
        fact=of,
        later=leak.later,
        news=not leak.later and stage.may_bring(line.event, of),
        score=leak.score,
        phrases=leak.phrases,
        why=f"says {said}, as #{of.seq} does, {unknown}, and nothing else that {who} knew",
        model=line.model,
        memory=line.memory,
    )


class Absences:
    """Who may have heard something between the scenes of a world that was brought in."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._unplayed: set[int] = set()
        self._came: dict[str, list[int]] = defaultdict(list)
        for event in events:
            if isinstance(event.body, EpisodeOpened) and event.body.order == UNPLAYED:
                self._unplayed.add(event.episode)
            elif isinstance(event.body, Entered) and event.actor:
                self._came[event.actor].append(event.seq)

    def may_bring(self, line: Event, of: Event) -> bool:
        """Whether a speaker was off the stage since an event: it is in an earlier scene, or the
        speaker came in only afterwards."""
        if line.episode not in self._unplayed or isinstance(line.body, Answered):
            return False
        came = self._came.get(line.actor or "", ())
        return of.episode != line.episode or any(of.seq < seq < line.seq for seq in came)


def _rates(
    lines: Iterable[AuditLine], rows: Iterable[AuditRow], name: Callable[[AuditLine], str]
) -> tuple[AuditRate, ...]:
    """By name, those with most leaks first. What has no name is in none."""
    leaking: Mapping[int, AuditRow] = {row.line.seq: row for row in rows}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for line in lines:
        if called := name(line):
            counts[called][0] += 1
            if row := leaking.get(line.event.seq):
                counts[called][2 if row.news else 1] += 1
    rates = [AuditRate(called, *count) for called, count in counts.items()]
    return tuple(sorted(rates, key=lambda rate: (-rate.leaks, -rate.news, rate.name)))
