"""Lines that hold what whoever spoke them could not know: of all that was said, thought, written and
answered in a world."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.prices import price_of
from whoknew.engine.errors import NoPlan
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import Leak, LeakFinder, SpokenLine
from whoknew.engine.finding.records import looked_through
from whoknew.engine.plan.planned import plan_of
from whoknew.engine.travel.absences import Absences
from whoknew.engine.travel.knows import LIMIT
from whoknew.engine.travel.leak_reader import (
    LeakForecast,
    LeakReading,
    Suspect,
    WorldVerdicts,
    forecast_leaks,
    nearest_known,
    read_leaks,
)
from whoknew.eventlog import Event, Knowledge, Log
from whoknew.eventlog.cursor import AtSeq, When
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    Called,
    Probed,
    Traced,
)
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.story import is_outside_story


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
    confirmed: bool | None = None
    reason: str = ""
    """What a model that read it said of it, where one did, and why."""

    @property
    def denied(self) -> bool:
        return self.confirmed is False


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
    `refused`: a guard did not let so many lines be said. Of `denied` findings a model that read them
    says that they are none: they are in no count and no rate."""

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
    denied: int = 0
    reading: LeakReading | None = None


class AuditLine(Struct, frozen=True):
    """A line, with the event that holds it, and whose model said it by which memory; of an answer what
    was asked."""

    event: Event
    spoken: SpokenLine
    model: str = ""
    memory: str = ""
    question: str = ""


class Audited(Struct, kw_only=True):
    """What of all that stands in a world up to a cursor gives away what its speaker could not know."""

    world: str
    upto: int
    sure: float
    lines: list[AuditLine]
    rows: list[AuditRow]
    looked: bool
    refused: int
    reading: LeakReading | None = None

    def take(self, reading: LeakReading) -> None:
        """What a model said of its rows."""
        self.reading = reading
        read = zip(self.rows, reading.verdicts, strict=True)
        rows = (
            replace(row, confirmed=one.gives, reason=one.why) if one else row for row, one in read
        )
        self.rows = sorted(rows, key=_order)

    def report(self, *, limit: int = LIMIT, skip: int = 0) -> AuditReport:
        rows = [row for row in self.rows if not row.denied]
        leaks = sum(not row.news for row in rows)
        return AuditReport(
            world=self.world,
            upto=self.upto,
            lines=len(self.lines),
            answers=sum(isinstance(one.event.body, Answered) for one in self.lines),
            leaks=leaks,
            news=len(rows) - leaks,
            sure=self.sure,
            total=len(self.rows),
            skipped=skip,
            rows=tuple(self.rows[skip : skip + limit]),
            characters=_rates(self.lines, rows, lambda one: one.spoken.who),
            models=_rates(self.lines, rows, lambda one: one.model),
            memories=_rates(self.lines, rows, lambda one: one.memory),
            looked=self.looked,
            refused=self.refused,
            denied=len(self.rows) - len(rows),
            reading=self.reading,
        )


async def audit(
    log: Log,
    world: str,
    at: When = "end",
    *,
    sure: float = SURE,
    limit: int = LIMIT,
    skip: int = 0,
    model: str | None = None,
) -> AuditReport:
    """What the rule finds. With a `model` that reads each finding, nothing is asked twice, and what it
    says is written beside the story; else nothing is asked, and nothing written."""
    found = await audited(log, world, at, sure=sure)
    if model:
        suspects = await _suspects(log, found)
        found.take(await read_leaks(suspects, model, await WorldVerdicts.of(log, world)))
    return found.report(limit=limit, skip=skip)


async def forecast_audit(
    log: Log, world: str, model: str, at: When = "end", *, sure: float = SURE
) -> LeakForecast:
    """What it would take to have a model read what the rule finds."""
    suspects = await _suspects(log, await audited(log, world, at, sure=sure))
    verdicts = await WorldVerdicts.of(log, world)
    return await forecast_leaks(suspects, model, price_of(model), verdicts)


async def audited(log: Log, world: str, at: When = "end", *, sure: float = SURE) -> Audited:
    director = await log.director(world, at)
    knowledge = await log.knowledge(world, director.cursor)
    events = await director.events()
    memory = await _memories(log, world, director.cursor.seq)

    def found() -> tuple[list[AuditLine], list[AuditRow]]:
        lines = list(_lines(events, memory))
        return lines, _rows(events, lines, knowledge, sure)

    lines, rows = await asyncio.to_thread(found)
    return Audited(
        world=world,
        upto=director.cursor.seq,
        sure=sure,
        lines=lines,
        rows=rows,
        looked=await looked_through(log, world, knowledge.sought, director.cursor.seq),
        refused=sum(isinstance(one.body, LineRefused) and not one.body.kept for one in events),
    )


async def _suspects(log: Log, found: Audited) -> list[Suspect]:
    """The findings as a model is shown them, each with what its speaker knew before it spoke."""
    lines, suspects = {one.event.seq: one for one in found.lines}, []
    for row in found.rows:
        line = lines[row.line.seq]
        before = AtSeq(row.upto if line.question else row.upto - 1)
        view = await log.view(found.world, row.who, before)
        suspects.append(
            Suspect(
                cause=row.line.seq,
                who=row.who,
                said=line.spoken.text,
                fact=row.fact,
                later=row.later,
                known=await nearest_known(view, line.spoken.text, row.fact),
                question=line.question,
            )
        )
    return suspects


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
    probes: dict[int, Probed] = {}
    for event in events:
        who, body = event.actor or "", event.body
        match body:
            case Called(model=model):
                models[event.episode, event.turn, who] = model
                asked[event.cause or 0] = model
            case Probed():
                probes[event.seq] = body
            case Answered(text) if who and event.cause in probes:
                probe = probes[event.cause]
                spoken = SpokenLine(event.seq, who, text, probe.upto, probe.question)
                model = asked.get(event.cause, "")
                yield AuditLine(event, spoken, model, question=probe.question)
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
            rows.append(_row(line, leak, events[leak.fact - 1], stage))
    return sorted(rows, key=_order)


def _order(row: AuditRow) -> tuple[bool, bool, float, int]:
    """Leaks first, the surest first."""
    return row.denied, row.news, -row.score, row.line.seq


def _row(line: AuditLine, leak: Leak, of: Event, stage: Absences) -> AuditRow:
    who = leak.line.who
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


def _rates(
    lines: Iterable[AuditLine], rows: Iterable[AuditRow], name: Callable[[AuditLine], str]
) -> tuple[AuditRate, ...]:
    news = {row.line.seq: row.news for row in rows}
    return rated((name(one), news.get(one.event.seq)) for one in lines)


def rated(lines: Iterable[tuple[str, bool | None]]) -> tuple[AuditRate, ...]:
    """By name, those with most leaks first: of each line whose it is, and whether it is news, or a leak,
    or, as None, neither. What has no name is in none."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for name, news in lines:
        if name:
            counts[name][0] += 1
            if news is not None:
                counts[name][2 if news else 1] += 1
    rates = [AuditRate(name, *count) for name, count in counts.items()]
    return tuple(sorted(rates, key=lambda rate: (-rate.leaks, -rate.news, rate.name)))
