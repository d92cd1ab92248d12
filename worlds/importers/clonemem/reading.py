"""Items of CloneMem and the traces that they name, as worlds with questions: a world for each persona."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import MAXYEAR, datetime, time
from itertools import count, groupby
from pathlib import Path

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    CharacterAdded,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    EvidenceNoted,
    Imported,
    RelationSet,
    Traced,
    WorldOpened,
)
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.clonemem.form import (
    FORMAT,
    TRACES,
    KeptLife,
    KeptTrace,
    LifeQuestion,
    beside_of,
    cursor_of,
    moment_of,
)
from whoknew.worlds.importers.imported import (
    ImportedWorld,
    ImporterEntry,
    Remark,
    world_named,
)
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.lives.ages import age_tag
from whoknew.worlds.lives.weeks import WEEK, dated, monday, named
from whoknew.worlds.question import Question

LATE = time(23, 59, 59)
"""When it is noted what a day has shown."""


class ClonememEntry(ImporterEntry, frozen=True):
    """the items of CloneMem, with their traces beside them"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each file of items."""
    files = [one for one in files_of(path, "*.json") if not one.name.endswith(TRACES)]
    if not files:
        raise BadSource(f"{path} holds traces alone: name a file of items, with those beside it")
    for file in files:
        items = decoded(file, list[LifeQuestion], "list of CloneMem's items")
        beside = beside_of(file)
        if not beside.exists():
            raise BadSource(
                f"{file}: its items name traces, which should stand beside it in {beside.name}: "
                "who wrote what, when, and who reads it (docs/clonemem.md)"
            )
        yield _world(file, decoded(beside, KeptLife, "file of the traces of a life"), items)


def _world(file: Path, life: KeptLife, items: Sequence[LifeQuestion]) -> ImportedWorld:
    traces = {one.name: one for one in life.traces}
    beside = beside_of(file)
    if len(traces) < len(life.traces) or not traces:
        which = "two of its traces have the same id" if traces else "it holds no trace"
        raise BadSource(f"{beside}: {which}")
    if last := [one.name for one in life.traces if one.at.year == MAXYEAR]:
        raise BadSource(
            f"{beside}: the trace {last[0]!r} is of the last year that there is: correct it"
        )
    world = world_named(FORMAT, file.stem)
    reading = _Reading(file, world, life, traces)
    questions = tuple(reading.questions(items))
    drafts = tuple(_Telling(world, life, reading.statements).drafts())
    return ImportedWorld(world, drafts, tuple(reading.remarks), questions)


class _Reading:
    """Questions out of items; and which statements the traces of a life show."""

    def __init__(
        self, file: Path, world: str, life: KeptLife, traces: Mapping[str, KeptTrace]
    ) -> None:
        self._file, self._world, self._life, self._traces = file, world, life, traces
        self.remarks: list[Remark] = []
        self.statements: dict[str, dict[str, None]] = defaultdict(dict)

    def questions(self, items: Sequence[LifeQuestion]) -> Iterator[Question]:
        for item in items:
            try:
                moment = moment_of(item.question_time)
            except ValueError:
                self._strange(item, f"left out: question_time is {item.question_time!r}, no time")
                continue
            if len({one.id for one in item.choices}) < len(item.choices):
                self._strange(item, "left out: two of its choices have the same id")
                continue
            yield self._question(item, moment)

    def _question(self, item: LifeQuestion, moment: datetime) -> Question:
        shown = self._evidence(item)
        sets = tuple(tuple(some) for some in shown.values() if some)
        rested_on = [self._traces[name] for some in sets for name in some]
        if late := [one.name for one in rested_on if one.at > moment]:
            self._strange(item, f"rests on what is written only after it: {', '.join(late[:5])}")
        days = [one.at.date() for one in rested_on]
        kind, texts = kind_of(item.question_type), {one.id: one.text for one in item.choices}
        return Question(
            world=self._world,
            character=self._life.persona,
            at=cursor_of(moment),
            question=item.question.strip(),
            kind=kind,
            reference=item.answer,
            choices=tuple(texts.values()),
            correct=self._right(item, texts),
            evidence=sets,
            labels=_labels(item, shown),
            tags=tuple(
                filter(None, (item.dimension, age_tag(moment.date(), max(days, default=None))))
            ),
        )

    def _evidence(self, item: LifeQuestion) -> dict[str, dict[str, None]]:
        """Each statement once, with the traces that show it and are there."""
        shown: dict[str, dict[str, None]] = defaultdict(dict)
        for one in item.evidence:
            shown[one.statement] |= self._there(item, one.digital_trace_ids)
        if not shown and item.digital_trace_ids:
            shown[""] = self._there(item, item.digital_trace_ids)
        for statement, names in shown.items():
            if statement:
                self.statements[statement] |= names
                if not names:
                    self._strange(item, f"no trace shows {statement[:40]!r}: that is left out")
        return shown

    def _there(self, item: LifeQuestion, names: Sequence[str | int]) -> dict[str, None]:
        found = dict.fromkeys(map(str, names))
        lost = [name for name in found if name not in self._traces]
        if lost:
            self._strange(item, f"names what is no trace: {', '.join(lost[:5])}: that is left out")
        return {name: None for name in found if name in self._traces}

    def _right(self, item: LifeQuestion, texts: Mapping[str, str]) -> str | None:
        right = item.correct_choice_id
        if right is not None and right not in texts:
            self._strange(item, f"its right choice, {right!r}, is none of its choices: left open")
        return texts.get(right) if right is not None else None

    def _strange(self, item: LifeQuestion, what: str) -> None:
        self.remarks.append(Remark(str(self._file), f"item {item.id}", what))


class _Telling:
    """A life as a world: a week in which something was written is an episode."""

    def __init__(
        self, world: str, life: KeptLife, statements: Mapping[str, Mapping[str, None]]
    ) -> None:
        self._world, self._life, self._seq = world, life, 0
        self._traces = sorted(life.traces, key=lambda one: one.at)
        self._seqs: dict[str, int] = {}
        places = {one.name: place for place, one in enumerate(self._traces)}
        self._shown: dict[str, list[str]] = defaultdict(list)
        """Which statements are shown whole by then, by the last trace that shows it."""
        self._by = {text: list(names) for text, names in statements.items() if names}
        for text, names in self._by.items():
            self._shown[max(names, key=places.__getitem__)].append(text)
        self._everybody = tuple(
            dict.fromkeys(
                (
                    life.persona,
                    *(one.name for one in life.contacts),
                    *(name for one in life.traces for name in (one.writer, *one.readers)),
                )
            )
        )

    def drafts(self) -> Iterator[Draft]:
        for draft in self._events():
            self._seq += 1
            yield draft

    def _events(self) -> Iterator[Draft]:
        weeks = [
            (first, list(some))
            for first, some in groupby(self._traces, lambda one: monday(one.at.date()))
        ]
        start = datetime.combine(weeks[0][0], time())
        yield Draft(WorldOpened(self._world, planned=len(weeks)), start)
        yield from self._people()
        for week, (first, traces) in enumerate(weeks, start=1):
            at = datetime.combine(first, time())
            opened = EpisodeOpened(named(first), order="as-written")
            yield Draft(opened, at, episode=week, witnesses=self._everybody)
            turns = count(1)
            for _, some in groupby(traces, lambda one: one.at.date()):
                day = list(some)
                for trace in day:
                    yield self._written(trace, week, next(turns))
                yield from self._noted(day, week)
            closed = EpisodeClosed("the week ends")
            yield Draft(closed, at + WEEK, episode=week, witnesses=self._everybody)
        yield Draft(Imported(FORMAT, self._world))

    def _people(self) -> Iterator[Draft]:
        life, known = self._life, {one.name: one for one in self._life.contacts}
        yield Draft(CharacterAdded(life.persona, life.profile), witnesses=(life.persona,))
        for name in self._everybody[1:]:
            about = known[name].about if name in known else ""
            yield Draft(CharacterAdded(name, about), witnesses=(name,))
        for one in life.contacts:
            if one.relation:
                relation = RelationSet(life.persona, one.name, one.relation)
                yield Draft(relation, witnesses=(life.persona,))
            if one.about:
                yield Draft(Described(one.name, one.about), witnesses=(life.persona,))

    def _written(self, trace: KeptTrace, week: int, turn: int) -> Draft:
        self._seqs[trace.name] = self._seq + 1
        readers = tuple(one for one in dict.fromkeys(trace.readers) if one != trace.writer)
        return Draft(
            Traced(trace.type, dated(trace.at, trace.text), readers),
            trace.at,
            episode=week,
            turn=turn,
            actor=trace.writer,
            witnesses=(trace.writer, *readers),
            source=trace.name,
        )

    def _noted(self, day: Sequence[KeptTrace], week: int) -> Iterator[Draft]:
        """What this day's traces have shown the last of: nobody witnesses that."""
        at = max(day[-1].at, datetime.combine(day[0].at.date(), LATE))
        for trace in day:
            for statement in self._shown.get(trace.name, ()):
                seqs = sorted(self._seqs[name] for name in self._by[statement])
                yield Draft(EvidenceNoted(statement), at, episode=week, about=tuple(seqs))


def kind_of(written: str) -> str:
    """A type of question as ours is called: "Single-Point Factual" is single-point."""
    words = "-".join(re.split(r"[\s_-]+", written.strip().casefold()))
    return words.removesuffix("-question").removesuffix("-factual")


def _labels(
    item: LifeQuestion, shown: Mapping[str, Mapping[str, None]]
) -> dict[str, str | list[str]]:
    """Its points are the statements, one for each set of evidence."""
    found: dict[str, str | list[str]] = {
        "id": str(item.id),
        "dimension": item.dimension,
        "points": [statement for statement, some in shown.items() if statement and some],
    }
    return {key: value for key, value in found.items() if value}
