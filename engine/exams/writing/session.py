"""A model writes questions of an exam: wherever the exam's log lacks them, each checked before it is
kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from whoknew.engine.errors import Suspended
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.session import ExamSession, Failure, SessionParts
from whoknew.engine.exams.shards import Shard, ShardCounts, Work
from whoknew.engine.exams.writing.source import WritingSource, WrittenDraft
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.eventlog.kinds import Failed, QuestionsWritten
from whoknew.worlds.question import Question

P = TypeVar("P")


class WrittenCount(Struct):
    """What came of it in this start, and before."""

    places: int = 0
    done: int = 0
    empty: int = 0
    """At how many nothing was kept."""
    kept: Counter[str] = field(default_factory=Counter)
    """By kind."""
    refused: Counter[str] = field(default_factory=Counter)
    """By check."""

    def take(self, body: QuestionsWritten) -> None:
        self.empty += not body.questions
        self.kept.update(str(one["kind"]) for one in body.questions)
        self.refused.update(one.check for one in body.refused)


class QuestionWriting(ExamSession[Any], Generic[P]):
    """One start of it."""

    def __init__(
        self, parts: SessionParts, *, writer: QuestionWriter, source: WritingSource[P]
    ) -> None:
        super().__init__(replace(parts, exam=replace(parts.exam, arms=(), judges=())))
        self.count = WrittenCount()
        self._writer, self._source = writer, source
        self._known = set(filter(self.log.done, self._keys()))
        """The keys of places of which the source knows what was written there."""

    @property
    def unit(self) -> str:
        """What a place is, in a word."""
        return self._source.unit

    def cell_parts(self) -> Iterator[Any]:
        return iter(())

    def survey(self) -> None:
        self.count.places = sum(map(len, self._source.rows))
        self.count.done = self.done
        self.progress.cells = self.count.places
        self.progress.before = self.count.done

    @property
    def done(self) -> int:
        """How many places are done with, as it stands on the log."""
        return sum(map(self.log.done, self._keys()))

    @property
    def failed(self) -> int:
        return sum(map(self.log.failed, self._keys()))

    def _keys(self) -> Iterator[str]:
        return (self._source.key(place) for row in self._source.rows for place in row)

    async def sit(self) -> None:
        await self.log.begin((), ())
        await self.log.add(self._writer)
        await super().sit()

    def works(self) -> Iterator[Work]:
        for row in self._source.rows:
            yield from self._works_of(row)

    def shards(self) -> Iterator[Shard]:
        """Each row is written by one process."""
        for row in self._source.rows:
            yield Shard(
                lease=f"{self.exam.plan.name}: questions from {self._source.key(row[0])}",
                works=partial(self._works_of, row),
                counts=partial(self._counts, row),
            )

    def _works_of(self, row: Sequence[P]) -> Iterator[Work]:
        if any(self._lacks(self._source.key(one)) for one in row):
            yield partial(self._write_row, row)

    def _counts(self, row: Sequence[P]) -> ShardCounts:
        keys = list(map(self._source.key, row))
        done, failed = map(self.log.others_did, keys), map(self.log.others_failed, keys)
        return ShardCounts(sum(done), sum(failed))

    def _most(self) -> int:
        return len(self._source.rows)

    async def _write_row(self, row: Sequence[P]) -> None:
        for place in row:
            await self._take_in(place)
            if self._lacks(self._source.key(place)) and self._source.ready(place):
                try:
                    await self.control.going_on()
                    self.control.check()
                except Suspended:
                    return
                await self._write(place)

    async def _take_in(self, place: P) -> None:
        """What another process wrote there since this one began."""
        key = self._source.key(place)
        if key in self._known or not self.log.done(key):
            return
        self._known.add(key)
        for event in await self.log.batch(key):
            if isinstance(body := event.body, QuestionsWritten):
                questions = [msgspec.convert(dict(one), Question) for one in body.questions]
                self._source.kept(place, WrittenDraft(questions, made=dict(body.made)))

    async def _write(self, place: P) -> None:
        """The calls of a place and what came of them go in together, before anything rests on them."""
        key, cause = self._source.key(place), self.log.seq_of(self._writer)
        calls = self.calls(key, cause)
        found = await self.tried(calls, self._drafted(place, calls))
        if found is None:
            return
        if failed := isinstance(found, Failure):
            with calls.written() as held:
                result = [*held, Failed("questions", found.why)]
                await self.log.concluded(key, cause, result, failed=True)
        else:
            body = self._body(place, found)
            with calls.written() as held:
                await self.log.concluded(key, cause, [*held, body], failed=False)
            self.count.take(body)
            self._known.add(key)
            self._source.kept(place, found)
        self.progress.failed += failed
        self.progress.answered += not failed
        self.control.count("questions", 1, failed)

    async def _drafted(self, place: P, calls: CellCalls) -> WrittenDraft:
        await calls.resume()
        return await self._source.drafted(
            place, lambda who, address: self.model(who, address, calls)
        )

    def _body(self, place: P, found: WrittenDraft) -> QuestionsWritten:
        at = self._source.on_log(place)
        return QuestionsWritten(
            character=at.who,
            material=at.world,
            upto=at.upto,
            hash=at.hash,
            questions=tuple(msgspec.to_builtins(one) for one in found.questions),
            refused=tuple(found.refused),
            texts=dict(found.texts),
            made=found.made,
        )
