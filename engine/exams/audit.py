"""Answers of an exam that give away what whoever was asked could not know: found by rule, as lines of a
world are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.answer_guard import answer_line, finders
from whoknew.engine.exams.asked_models import prices_of, settings_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.material import asked_of, reading_material
from whoknew.engine.exams.results import ExamFold
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.leaks import Leak, SpokenLine
from whoknew.engine.opening import existing, reading
from whoknew.engine.playing.guard import refusal
from whoknew.engine.travel.audit import AuditRate, rated
from whoknew.engine.travel.knows import LIMIT
from whoknew.engine.travel.leak_reader import (
    LeakForecast,
    LeakReading,
    Suspect,
    forecast_leaks,
    nearest_known,
    read_leaks,
)
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Kind
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.machinery import LeakRead


class AnswerLeak(Struct, frozen=True, kw_only=True):
    """An answer that gives away the event `fact` of a world, which who was asked at `upto` knew nothing
    of. `unit` is the id of the question."""

    arm: str
    unit: str
    world: str
    who: str
    upto: int
    question: str
    answer: str
    fact: int
    later: bool
    score: float
    why: str
    confirmed: bool | None = None
    reason: str = ""
    """What a model that read it said of it, where one did, and why."""


class ExamAudit(Struct, frozen=True, kw_only=True):
    """Of the `answers` of an exam, `leaks` give away what who was asked could not know; `fair` of them
    are of arms that are given nothing of the kind. `rows` are those past the first `skipped`, the
    surest first. `refused`: a guard did not take so many answers more. Of `denied` findings a model
    that read them says that they are none: they are in no count and no rate."""

    name: str
    answers: int
    leaks: int
    fair: int
    sure: float
    total: int
    skipped: int
    rows: tuple[AnswerLeak, ...]
    arms: tuple[AuditRate, ...]
    characters: tuple[AuditRate, ...]
    models: tuple[AuditRate, ...]
    memories: tuple[AuditRate, ...]
    refused: int = 0
    denied: int = 0
    reading: LeakReading | None = None


class _Finding(Struct):
    """A leak, with the cell that it is in, and what a model said of it."""

    cell: CellResult
    leak: Leak
    read: LeakRead | None = None

    @property
    def denied(self) -> bool:
        return self.read is not None and not self.read.gives


async def audit_exam(
    exam: LoadedExam,
    *,
    sure: float = SURE,
    limit: int = LIMIT,
    skip: int = 0,
    model: str | None = None,
) -> ExamAudit:
    """What of the answers on the log of an exam gives away what could not be known. What the question
    says itself is no leak. With a `model` that reads each finding, nothing is asked twice, and what it
    says is written onto the log of the exam; else nothing is asked, and nothing written."""
    opening = existing if model else reading
    async with reading_material(_of_questions(exam)) as material, opening(exam.plan.address) as log:
        cells, found = await _looked(exam, material, log, sure)
        read = None
        if model:
            verdicts = ExamVerdicts(await ExamLog.of(log, exam.plan.name))
            settings = exam.plan.models.get(model)
            read = await read_leaks(await _suspects(material, found), model, verdicts, settings)
            for one, verdict in zip(found, read.verdicts, strict=True):
                one.read = verdict
    found.sort(key=lambda one: (one.denied, -one.leak.score, one.cell.seq))
    standing = [one for one in found if not one.denied]
    leaking = {id(one.cell) for one in standing}

    def rates(name: Callable[[CellResult], str]) -> tuple[AuditRate, ...]:
        return rated((name(one), False if id(one) in leaking else None) for one in cells)

    return ExamAudit(
        name=exam.plan.name,
        answers=len(cells),
        leaks=len(standing),
        fair=sum(not is_unsafe(one.cell.cell.arm.seat.memory) for one in standing),
        sure=sure,
        total=len(found),
        skipped=skip,
        rows=tuple(map(_row, found[skip : skip + limit])),
        arms=rates(lambda one: one.cell.arm.name),
        characters=rates(lambda one: one.cell.subject.character),
        models=rates(lambda one: one.cell.arm.seat.model),
        memories=rates(lambda one: one.cell.arm.seat.memory),
        refused=sum(one.refused for one in cells),
        denied=len(found) - len(standing),
        reading=read,
    )


async def forecast_exam_audit(exam: LoadedExam, model: str, *, sure: float = SURE) -> LeakForecast:
    """What it would take to have a model read what the rule finds."""
    async with reading_material(_of_questions(exam)) as material, reading(exam.plan.address) as log:
        _, found = await _looked(exam, material, log, sure)
        verdicts = ExamVerdicts(await ExamLog.of(log, exam.plan.name))
        price = prices_of(exam, settings_of(exam, [model]))[model]
        return await forecast_leaks(await _suspects(material, found), model, price, verdicts)


def _of_questions(exam: LoadedExam) -> LoadedExam:
    if not isinstance(exam.kind, QuestionKind):
        raise WrongPlan("scenes are worlds of their own: look at each with `whoknew audit`")
    return exam


async def _looked(
    exam: LoadedExam, material: Log, opened: Log, sure: float
) -> tuple[list[CellResult], list[_Finding]]:
    """The cells that were answered, and what the rule finds in them."""
    asked = await asked_of(exam, material, None)
    fold = ExamFold(exam, [one for one in asked.units if isinstance(one, Unit)])
    await fold.go_on(await ExamLog.to_read(opened, exam.plan.name))
    cells = [one for one in (await fold.results(opened)).cells if one.answer is not None]
    found: list[_Finding] = []
    for world, some in _by_world(cells).items():
        found += await _leaks(material, world, some, sure)
    return cells, found


async def _suspects(material: Log, found: Sequence[_Finding]) -> list[Suspect]:
    """The findings as a model is shown them, each with what who was asked knew then."""
    suspects = []
    for one in found:
        subject, answer = one.cell.cell.subject, one.cell.answer or ""
        (fact,) = await material.lineage.pick(subject.world, [one.leak.fact])
        view = await material.view(subject.world, subject.character, AtSeq(subject.seq))
        suspects.append(
            Suspect(
                cause=one.cell.seq,
                who=subject.character,
                said=answer,
                fact=fact,
                later=one.leak.later,
                known=await nearest_known(view, answer, fact),
                question=subject.text,
            )
        )
    return suspects


class ExamVerdicts:
    """The verdicts on answers of an exam, on its own log."""

    def __init__(self, log: ExamLog) -> None:
        self._log = log

    async def verdict(self, key: str) -> LeakRead | None:
        bodies = [event.body for event in await self._log.batch(key)]
        return next((body for body in bodies if isinstance(body, LeakRead)), None)

    async def keep(self, key: str, cause: int, bodies: Sequence[Kind], *, failed: bool) -> None:
        await self._log.concluded(key, cause, bodies, failed=failed)


def _by_world(cells: Iterable[CellResult]) -> dict[str, list[CellResult]]:
    worlds: dict[str, list[CellResult]] = defaultdict(list)
    for one in cells:
        worlds[one.cell.subject.world].append(one)
    return worlds


async def _leaks(
    material: Log, world: str, cells: Sequence[CellResult], sure: float
) -> list[_Finding]:
    finder = await finders(material).of(world)

    def look() -> list[_Finding]:
        looked = ((one, finder.look(_line(one))) for one in giving_way(cells))
        return [_Finding(one, leak) for one, leak in looked if leak and leak.score >= sure]

    return await asyncio.to_thread(look)


def _line(result: CellResult) -> SpokenLine:
    unit = result.cell.unit
    assert isinstance(unit, Unit), "it was asked"
    return answer_line(unit, result.answer or "")


def _row(one: _Finding) -> AnswerLeak:
    result, leak = one.cell, one.leak
    subject = result.cell.subject
    return AnswerLeak(
        arm=result.cell.arm.name,
        unit=result.cell.unit.id,
        world=subject.world,
        who=subject.character,
        upto=subject.seq,
        question=subject.text,
        answer=result.answer or "",
        fact=leak.fact,
        later=leak.later,
        score=leak.score,
        why=refusal(leak).why,
        confirmed=one.read.gives if one.read else None,
        reason=one.read.why if one.read else "",
    )
