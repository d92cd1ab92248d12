"""Exams about the watch at Elsinore: questions, arms, and a model that answers by what it is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from zlib import crc32

import msgspec
from small_worlds import elsinore

from whoknew.agents.models.model import Model, Reply, Request
from whoknew.engine.exams.asked_models import Roles
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.document import LoadedExam, parse
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import units
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.results import ExamFold, ExamResults
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.plan.plan import NO_LIMIT, Limit
from whoknew.engine.playing.control import Control
from whoknew.eventlog import Log
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.stores.store import Batch, Store
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds import question
from whoknew.worlds.question import Question

PLAN = """
exam = "questions"
name = "watch"
material = "elsinore.db"
questions = "questions.jsonl"
repeats = 2
at_once = 5
[grid]
memories = ["none", "entire"]
methods = ["plain", "stepwise"]
[judges.words]
by = "reference"
[judges.mark]
by = "rubric"
model = "offline:"
reasks = 1
"""


def asked(*ats: str) -> list[Question]:
    """What each of the watch is asked at these cursors."""
    return [
        Question(
            world="elsinore",
            character=who,
            at=at,
            question="What was seen?",
            kind="fact" if who == "Horatio" else "rumour",
            reference="A ghost.",
        )
        for at in ats
        for who in ("Horatio", "Marcellus")
    ]


def written(folder: Path, plan: str = PLAN, questions: Sequence[Question] | None = None) -> Path:
    """A plan and its questions, in files."""
    path = folder / "exam.toml"
    path.write_text(plan, "utf-8")
    (folder / "questions.jsonl").unlink(missing_ok=True)
    question.write(folder / "questions.jsonl", questions or asked("E1", "end"))
    return path


def exam_in(
    folder: Path, plan: str = PLAN, questions: Sequence[Question] | None = None
) -> LoadedExam:
    written(folder, plan, questions)
    return parse(plan, "exam.toml", folder)


class ByPrompt:
    """A model that says what its prompt decides: now and then nothing that can be used, so that it is
    asked again; of some, so many in a hundred, `never`. It gives others a turn before each answer."""

    name = "offline:"

    def __init__(self, *, never: int = 0) -> None:
        self.asked = Counter[str]()
        self.under_way = self.peak = 0
        self._never = never

    async def complete(self, request: Request) -> Reply:
        self.asked[request.digest] += 1
        self.under_way += 1
        self.peak = max(self.peak, self.under_way)
        chosen = int(request.digest[:4], 16)
        for _ in range(1 + chosen % 4):
            await asyncio.sleep(0)
        self.under_way -= 1
        return Reply(text=self._said(request, chosen), tokens_in=10, tokens_out=5)

    def _said(self, request: Request, chosen: int) -> str:
        if request.answer is None:
            return f"I think of {chosen}."
        last = request.messages[-1].text.startswith("That could not be used")
        if crc32(request.messages[1].text.encode()) % 100 < self._never or (
            chosen % 3 == 0 and not last
        ):
            return "Well."
        if request.purpose == "judge":
            return f'{{"mark": {{"reason": "So.", "score": {chosen % 11}}}}}'
        if request.purpose == "feedback":
            return f'{{"spatiotemporal": {chosen % 2 * 3}, "personality": {1 + chosen % 3}}}'
        said = "A ghost" if chosen % 2 else "Nothing"
        return msgspec.json.encode({"answer": f"{said} {chosen}.", "rests_on": [1]}).decode()


class DyingStore:
    """A store, of which only so many groups more are committed before whoever writes is killed."""

    commit_now = None

    def __init__(self, kept: Store, commits: int) -> None:
        self._kept, self._left = kept, iter(range(commits))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept, name)

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        if next(self._left, None) is None:
            raise StoreUnavailable("killed")
        return await self._kept.commit(batches)

    async def close(self) -> None:
        """What a killed process holds runs out: here at once."""
        if leases := self._kept.leases:
            for name in list(leases.epochs):
                await leases.release(name)
        await self._kept.close()


def dying(kept: Store, commits: int) -> Store:
    return cast(Store, DyingStore(kept, commits))


@asynccontextmanager
async def material() -> AsyncIterator[Log]:
    async with Log(VolatileStore()) as log:
        await elsinore(log)
        yield log


async def sat(
    exam: LoadedExam,
    about: Log,
    kept: Store,
    model: Model,
    *,
    limit: Limit = NO_LIMIT,
    asks: bool = True,
    again: bool = False,
) -> ExamProgress:
    """One sitting of an exam, in memory."""
    progress = ExamProgress()
    roles = Roles({"offline:": model}, {"offline:": None})
    async with Log(kept) as log:
        parts = SessionParts(
            exam=exam,
            log=await ExamLog.of(log, exam.plan.name),
            roles=roles,
            control=Control(limit, progress.spent, may_fail=exam.plan.may_fail),
            progress=progress,
            asks=asks,
            again=again,
        )
        sitting = Sitting(parts, units=await units(exam, about), material=about)
        sitting.survey()
        await sitting.sit()
    return progress


async def results(log: ExamLog, exam: LoadedExam, asked: Sequence[Unit]) -> ExamResults:
    fold = ExamFold(exam, asked)
    await fold.go_on(log)
    return await fold.results(log.log)


async def came_to(exam: LoadedExam, about: Log, kept: Store) -> ExamResults:
    async with Log(kept) as log:
        return await results(await ExamLog.of(log, exam.plan.name), exam, await units(exam, about))


def table(found: ExamResults) -> list[object]:
    """What of the results is the same however they came to be."""
    return [
        (one.cell.key, one.answer, one.failure, one.scores, one.unreviewed, one.reasons)
        for one in found.cells
    ]


async def calls_on(kept: Store) -> Counter[str]:
    """The calls that are on a log with their answers, by the digest of the prompt."""
    async with Log(kept) as log:
        return Counter(
            [
                placed.event.body.digest
                async for placed in log.read_all()
                if isinstance(placed.event.body, Called) and placed.event.body.reply is not None
            ]
        )
