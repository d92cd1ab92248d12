"""Having questions of an exam written: from wherever its log stands, until all are there or it has to
stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.address import RECORDED
from whoknew.agents.models.model import Model
from whoknew.agents.models.recorded import Calls, Recorded
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.asked_models import Roles, prices_of, settings_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import WritableKind
from whoknew.engine.exams.logged_questions import LoggedQuestions, questions_on
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.exams.writing.kept_texts import KeptTexts
from whoknew.engine.exams.writing.session import QuestionWriting
from whoknew.engine.exams.writing.source import WritingSource
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.opening import reading, writing
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.spent import Spent
from whoknew.engine.running.models import model_at
from whoknew.engine.running.run import command_line
from whoknew.engine.running.signals import stopped_by_signals
from whoknew.engine.running.stop import announced, check_alone
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.shown_address import without_password

WatchingWriting = Callable[[QuestionWriting[Any]], AbstractContextManager[None]]
"""Shows how it goes on."""


class WrittenQuestions(Struct, frozen=True, kw_only=True):
    """What came of it. Of so many `places`, each of which is a `unit`, `done` are done
    with, and `failed`, as it stands on the log; `empty` gave no question; `kept` counts questions by kind and `refused` what did not pass, by check: of
    this start, as are `calls`, `tokens` and `money`. `on_log` are all that were ever written, `texts` what was kept on the way
    to them, beside what others kept of them in a hundred. `reason` says why it stopped before its end,
    `failing` what failed more often than it may."""

    name: str
    log: str
    model: str
    places: int
    unit: str = "moment"
    done: int
    failed: int
    empty: int = 0
    kept: dict[str, int]
    refused: dict[str, int]
    on_log: int
    texts: dict[str, KeptTexts] = {}
    published_texts: dict[str, float] = {}
    calls: int
    tokens: int
    money: float | None
    reason: str | None = None
    failing: str | None = None

    @property
    def code(self) -> int:
        """How a command ends."""
        return 3 if self.reason else 1 if self.failing else 0


def writer_in(exam: LoadedExam) -> QuestionWriter:
    """Who writes questions of an exam, as its plan says."""
    kind = exam.kind
    if not isinstance(kind, WritableKind) or not kind.askable:
        raise WrongPlan(f"{exam.source}: a model writes no questions for {exam.plan.exam!r}")
    if kind.writer is None:
        raise WrongPlan(
            f'{exam.source} does not say who writes questions: add a table [writer] with a model = "..."'
        )
    return kind.question_writer(kind.writer)


async def source_of(
    exam: LoadedExam, opening: AsyncExitStack, writer: QuestionWriter
) -> WritingSource[Any]:
    """Where questions of an exam are written, as long as what was opened for it is."""
    assert isinstance(exam.kind, WritableKind)
    return await exam.kind.writing_source(exam, opening, writer)


async def write_questions(
    exam: LoadedExam,
    watching: WatchingWriting = lambda session: nullcontext(),
    *,
    again: bool = False,
    signals: bool = False,
) -> WrittenQuestions:
    """Have written what the log lacks. What failed is tried `again` only where that is said. With
    `signals`, Ctrl-C stops it in order."""
    plan, writer = exam.plan, writer_in(exam)
    check_alone(plan.address, [plan.name])
    progress = ExamProgress(done="written")
    control = Control(plan.limit, progress.spent, may_fail=plan.may_fail)
    async with AsyncExitStack() as opening:
        if signals:
            opening.enter_context(stopped_by_signals(control))
            opening.enter_context(
                announced(plan.address, exam.source, (plan.name,), command=command_line())
            )
        source = await source_of(exam, opening, writer)
        roles = await writer_roles(exam, writer, opening, control)
        opened = await opening.enter_async_context(writing(plan.address))
        log = await ExamLog.of(opened, plan.name)
        await source.read(log)
        if exam.plan.limit.counts_calls:
            await log.spent(progress.spent)
        parts = SessionParts(
            exam=exam, log=log, roles=roles, control=control, progress=progress, again=again
        )
        session = QuestionWriting(parts, writer=writer, source=source)
        await asyncio.to_thread(session.survey)
        before = replace(progress.spent)
        with watching(session):
            await session.sit()
        await source.finish()
        logged = await questions_on(log)
    spent = progress.spent.since(before)
    return _written(exam, writer, session, spent, logged)


def _written(
    exam: LoadedExam,
    writer: QuestionWriter,
    session: QuestionWriting[Any],
    spent: Spent,
    logged: LoggedQuestions,
) -> WrittenQuestions:
    """What came of a start that took so much."""
    assert isinstance(exam.kind, WritableKind)
    count, control, failed = session.count, session.control, session.failed
    failing = control.failing() or _failing(failed, session.done, exam.plan.may_fail)
    return WrittenQuestions(
        name=exam.plan.name,
        log=without_password(exam.plan.address),
        model=writer.writing.model,
        places=count.places,
        unit=session.unit,
        done=session.done,
        failed=failed,
        empty=count.empty,
        kept=dict(sorted(count.kept.items())),
        refused=dict(sorted(count.refused.items())),
        on_log=len(logged.written),
        texts=dict(logged.texts),
        published_texts=dict(exam.kind.published_texts),
        calls=spent.calls,
        tokens=spent.tokens,
        money=spent.dollars,
        reason=control.reason,
        failing=None if control.reason else failing,
    )


def _failing(failed: int, done: int, may_fail: float) -> str | None:
    """Whether too much of what is on the log failed, in words, whenever it was tried."""
    if failed <= (failed + done) * may_fail:
        return None
    return f"{failed} of {failed + done} failed, more than may_fail = {may_fail:g} allows"


async def writer_roles(
    exam: LoadedExam, writer: QuestionWriter, opening: AsyncExitStack, control: Control
) -> Roles:
    """The models that write and check: what is missing is said before anything is asked."""
    asked = settings_of(exam, writer.writing.models)
    prices = prices_of(exam, asked)
    models: dict[str, Model] = {}
    for address, settings in asked.items():
        if address.startswith(RECORDED):
            models[address] = await _recorded(address, exam.plan.name, opening)
        else:
            models[address] = await model_at(address, settings, opening, control)
    return Roles(models, prices)


async def _recorded(address: str, exam: str, opening: AsyncExitStack) -> Model:
    """What was answered when the same exam was written into another log."""
    opened = await opening.enter_async_context(reading(address.removeprefix(RECORDED)))
    calls = Calls()
    async for event in (await ExamLog.to_read(opened, exam)).read():
        if isinstance(event.body, Called):
            calls.take(event.body)
    return Recorded(address, f"the exam {exam!r}", calls)
