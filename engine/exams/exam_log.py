"""Where an exam is kept: a world of its own log, which nobody lives in.

All that belongs to one cell, to one review, or to one step of a memory that is derived, stands there
under keys that begin with its own:

    KEY      it was answered, judged, or written
    KEY!1    it failed: for the first time
    KEY/1    a call that it made, before there was anything else

So what the log lacks is told by its keys alone, without a look at what stands there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from operator import itemgetter
from typing import Self

from whoknew.engine.errors import PlanChanged
from whoknew.engine.exams.arms import ExamArm, ExamJudge, ExamMemory, memories_of
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.opening import reading_begun
from whoknew.engine.playing.spent import Spent
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.errors import missing
from whoknew.eventlog.fork import FOREVER
from whoknew.eventlog.key_table import KeyTable
from whoknew.eventlog.kinds import (
    ArmAdded,
    Called,
    Failed,
    JudgeAdded,
    Kind,
    MemoryAdded,
    Probed,
    WorldOpened,
    WriterAdded,
)
from whoknew.eventlog.machinery import CallStarted
from whoknew.eventlog.writer import Drafts

BEGINS = datetime(2000, 1, 1)
"""An exam has no story, and so no time in it; but every event of a log has one."""

OPENED, FAILED, CALL = "exam", "!", "/"

PAGE = 2000
"""Events that are read at a time: others have their turn in between."""

FEW = 8
"""Hardly ever do more events go in together."""


ExamPart = ExamArm | ExamMemory | ExamJudge | QuestionWriter
"""What cells, reviews, notes and questions name by its digest."""


class ExamLog:
    """The world of an exam, in a log that is open."""

    def __init__(self, log: Log, world: str, keys: Mapping[str, int], seen: int = 0) -> None:
        """`keys` are all of those up to the event `seen`, and maybe newer ones."""
        self.log, self.world, self._seen = log, world, seen
        self._done, self._own = KeyTable(), KeyTable()
        self._calls: dict[str, list[int]] = {}
        self._failures: dict[str, list[int]] = {}
        self._note_all(keys)

    @classmethod
    async def of(cls, log: Log, world: str) -> Self:
        """As it stands: where it has not begun yet, without a key."""
        there = await log.store.find(world)
        if there is None:
            return cls(log, world, {})
        keys = await log.store.keys(world)
        if OPENED not in keys:
            raise _no_exam(world)
        return cls(log, world, keys, there.head)

    @classmethod
    async def to_read(cls, log: Log, world: str) -> Self:
        """To be read from its first event to its last: of its keys, which may be very many, none but
        the first is looked at, and those that are looked up."""
        if await log.store.find(world) is None:
            return cls(log, world, {})
        first = await log.lineage.events(world, 0, FOREVER, 1)
        if not first or first[0].key != OPENED:
            raise _no_exam(world)
        return cls(log, world, {OPENED: 1})

    async def look_up(self, key: str) -> None:
        """All that is there of a key, of a log whose keys were not looked at."""
        if self.done(OPENED):
            self._note_all(await self.log.store.keys(self.world, key))

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write it, too."""
        return self.log.store.leases is not None

    @property
    def head(self) -> int:
        """Up to where all keys are known."""
        return self._seen

    async def catch_up(self) -> None:
        """Take in what other processes have written since it was looked at last."""
        there = await self.log.store.find(self.world)
        if there is None or there.head == self._seen:
            return
        self._note_all(await self.log.store.keys(self.world, after=self._seen))
        self._seen = there.head

    # what is there

    def done(self, key: str) -> bool:
        return key in self._done

    def seq(self, key: str) -> int:
        """Where it stands that it was done: the first of what went in with it."""
        return self._done[key]

    def failed(self, key: str) -> bool:
        """Whether it failed, and was not done since."""
        return key in self._failures and key not in self._done

    def others_did(self, key: str) -> bool:
        """Whether it was done, and not by this process as long as the log was open."""
        return key in self._done and key not in self._own

    def others_failed(self, key: str) -> bool:
        """Whether it failed and was not done since, and another process was the last to try."""
        return self.failed(key) and self._failure(key, len(self._failures[key])) not in self._own

    def begun(self, key: str) -> bool:
        """Whether anything of it is there."""
        return key in self._done or key in self._failures or key in self._calls

    def lacks(self, key: str, *, again: bool) -> bool:
        """Whether there is something to do: what failed is tried `again` only where that is said."""
        return key not in self._done and (again or key not in self._failures)

    async def failure(self, key: str) -> str:
        """Why it failed last."""
        bodies = [event.body for event in await self._batch(self._failures[key][-1])]
        return next(body.error for body in bodies if isinstance(body, Failed))

    def has(self, part: ExamPart) -> bool:
        """Whether it is said what stands behind its digest."""
        return _key_of(part) in self._done

    def seq_of(self, part: ExamPart) -> int:
        """Where that is said."""
        return self._done[_key_of(part)]

    async def calls(self, key: str) -> list[Event]:
        """The calls of what is not over yet: since it failed last, where it did."""
        if key not in self._calls:
            return []
        since = self._failures.get(key, [0])[-1]
        seqs = [seq for seq in self._calls[key] if seq > since]
        return [event for seq in seqs for event in await self._batch(seq)]

    async def spent(self, spent: Spent, after: int = 0) -> int:
        """Count in what all calls took so far, or past a seq; the seq up to which they are counted."""
        async for event in self.read(after):
            after = event.seq
            if isinstance(event.body, Called):
                spent.add(event.body)
        return after

    async def read(self, after: int = 0) -> AsyncIterator[Event]:
        """All of it past a seq, in order."""
        async for page in self.pages(after):
            for event in page:
                yield event

    async def hash(self, seq: int) -> bytes:
        """What vouches for all up to a seq; nothing where it does not reach so far."""
        there = seq > 0 and self.done(OPENED)
        record = await self.log.lineage.record(self.world, seq) if there else None
        return b"" if record is None else record.hash

    async def pages(self, after: int = 0) -> AsyncIterator[list[Event]]:
        """The same past a seq, some at a time: there may be very many."""
        head = (await self.log.lineage.find(self.world)).head if self.done(OPENED) else 0
        while after < head:
            page = await self.log.lineage.events(self.world, after, head, PAGE)
            if not page:
                raise missing(self.world, after + 1)
            yield page
            after = page[-1].seq

    async def at(self, seq: int) -> Event:
        """The event at a seq that is there."""
        (event,) = await self.log.lineage.events(self.world, seq - 1, seq, 1)
        return event

    async def landmarks(self) -> list[Event]:
        """The arms and judges that it ever had."""
        return await self.log.landmarks(self.world, FOREVER) if self.done(OPENED) else []

    async def batch(self, key: str) -> list[Event]:
        """All that went in when it was done; nothing where it was not."""
        return await self._batch(self._done[key]) if key in self._done else []

    async def all_of(self, key: str) -> list[Event]:
        """All that ever went in under it: calls, failures, what came of it in the end."""
        found = await self.log.store.keys(self.world, key)
        return [event for seq in sorted(found.values()) for event in await self._batch(seq)]

    async def _batch(self, first: int) -> list[Event]:
        """The events that went in together, the first of them at a seq."""
        found: list[Event] = []
        while True:
            after = first + len(found) - 1
            page = await self.log.lineage.events(self.world, after, FOREVER, FEW)
            for event in page:
                if found and event.key != found[0].key:
                    return found
                found.append(event)
            if not page:
                return found

    # what comes to be there

    async def begin(self, arms: Sequence[ExamArm], judges: Iterable[ExamJudge]) -> None:
        """Open the world where there is none, and say what stands behind each digest."""
        if not self.done(OPENED):
            await self._append(OPENED, [Draft(WorldOpened(self.world), at=BEGINS)])
        parts: list[ExamPart] = [*arms, *memories_of(arms), *judges]
        for part in parts:
            await self.add(part)

    async def add(self, part: ExamPart) -> None:
        """Say what stands behind a digest, once."""
        if not self.has(part):
            await self._append(_key_of(part), [Draft(_added(part))])

    async def answered(self, key: str, bodies: Sequence[Kind], *, failed: bool) -> int:
        """A probe, its calls and what came of them. The seq of the last of it."""
        assert isinstance(bodies[0], Probed)

        def drafts(first: int) -> list[Draft]:
            return [Draft(bodies[0]), *[Draft(body, cause=first) for body in bodies[1:]]]

        return await self._append(self._outcome(key, failed=failed), drafts)

    async def played(self, key: str, body: Kind, *, failed: bool) -> None:
        """That a scene is over, or why it was not played to its end."""
        await self._append(self._outcome(key, failed=failed), [Draft(body)])

    async def concluded(
        self, key: str, cause: int, bodies: Sequence[Kind], *, failed: bool
    ) -> None:
        """What came of something else, after the calls that it made: what a judge said of the answer at
        a seq, what the memory at one keeps."""
        drafts = [Draft(body, cause=cause) for body in bodies]
        await self._append(self._outcome(key, failed=failed), drafts)

    async def called(self, key: str, cause: int | None, bodies: Sequence[Kind]) -> int:
        """Calls of what is not over yet. The seq of the last of them."""
        number = len(self._calls.get(key, ())) + 1
        drafts = [Draft(body, cause=cause) for body in bodies]
        return await self._append(f"{key}{CALL}{number}", drafts)

    async def started(self, call: CallStarted) -> None:
        """A call is about to be made."""
        await self.log.append(self.world, [Draft(call)])

    def _outcome(self, key: str, *, failed: bool) -> str:
        return self._failure(key, len(self._failures.get(key, ())) + 1) if failed else key

    def _failure(self, key: str, number: int) -> str:
        return f"{key}{FAILED}{number}"

    async def _append(self, key: str, drafts: Drafts) -> int:
        """What is written is known, also where whoever waits for it is stopped meanwhile."""
        at, is_noted = 0, False

        def placed(first: int) -> Sequence[Draft]:
            nonlocal at
            at = first
            return drafts(first) if callable(drafts) else drafts

        def written() -> None:
            nonlocal is_noted
            self._note(key, at)
            if self.is_shared:
                self._own[key] = at
            is_noted = True

        appended = await self.log.append(self.world, placed, key=key, written=written)
        if not is_noted:
            self._note(key, appended.first)  # it was there before
        return appended.last

    def _note_all(self, keys: Mapping[str, int]) -> None:
        for key, seq in sorted(keys.items(), key=itemgetter(1)):
            self._note(key, seq)

    def _note(self, key: str, seq: int) -> None:
        """Know where a key stands. What is done is not gone on with, and there may be very much of it: its
        calls and failures are forgotten."""
        whose = _begin_of(key)
        if whose == key:
            self._done[key] = seq
            self._calls.pop(key, None)
            self._failures.pop(key, None)
            return
        known = self._calls if key.startswith(CALL, len(whose)) else self._failures
        if whose not in self._done and seq not in known.get(whose, ()):
            known.setdefault(whose, []).append(seq)


def key_of(event: Event) -> str:
    """The key of the cell, the review or the step that an event belongs to: its own begins with it."""
    return _begin_of(event.key or "")


def _begin_of(key: str) -> str:
    return key.partition(CALL)[0].partition(FAILED)[0]


async def log_there(address: str, world: str, opening: AsyncExitStack) -> ExamLog | None:
    """The log of an exam, open to be read as long as the stack; None where none was begun yet."""
    opened = await opening.enter_async_context(reading_begun(address))
    return None if opened is None else await ExamLog.of(opened, world)


def _key_of(part: ExamPart) -> str:
    """The key under which it is said what stands behind a digest."""
    what = {
        ExamArm: "arm",
        ExamMemory: "memory",
        ExamJudge: "judge",
        QuestionWriter: "writer",
    }
    return f"{what[type(part)]} {part.digest}"


def _added(part: ExamPart) -> Kind:
    match part:
        case ExamArm():
            return ArmAdded(part.name, part.digest, part.settings)
        case ExamMemory():
            return MemoryAdded(part.seat.memory, part.digest, part.settings)
        case ExamJudge():
            return JudgeAdded(part.name, part.digest, part.settings)
        case QuestionWriter():
            return WriterAdded(part.writing.model, part.digest, part.settings)


def _no_exam(world: str) -> PlanChanged:
    return PlanChanged(
        f"{world!r} is in this log already, and is no exam: give the exam another name, or another log"
    )
