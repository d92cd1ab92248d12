"""Answers of an exam that give away what whoever was asked could not know: found by rule, as lines of a
world are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.material import asked_of, reading_material
from whoknew.engine.exams.results import CellResult, ExamFold
from whoknew.engine.finding.leaks import NEVER, Leak, LeakFinder, SpokenLine
from whoknew.engine.opening import reading
from whoknew.engine.playing.guard import refusal
from whoknew.engine.travel.audit import LIMIT, AuditRate
from whoknew.eventlog import Log
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.story import is_outside_story
from whoknew.eventlog.words import terms


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


class ExamAudit(Struct, frozen=True, kw_only=True):
    """Of the `answers` of an exam, `leaks` give away what who was asked could not know; `fair` of them
    are of arms that are given nothing of the kind. `rows` are those past the first `skipped`, the
    surest first."""

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


Found = tuple[CellResult, Leak]


async def audit_exam(
    exam: LoadedExam, *, sure: float = SURE, limit: int = LIMIT, skip: int = 0
) -> ExamAudit:
    """What of the answers on the log of an exam gives away what could not be known. What the question
    says itself is no leak. Nothing is asked, and nothing written."""
    if not isinstance(exam.kind, QuestionKind):
        raise WrongPlan("scenes are worlds of their own: look at each with `whoknew audit`")
    async with reading_material(exam) as material, reading(exam.plan.address) as opened:
        asked = await asked_of(exam, material, None)
        fold = ExamFold(exam, [one for one in asked.units if isinstance(one, Unit)])
        log = await ExamLog.to_read(opened, exam.plan.name)
        await fold.go_on(log)
        cells = [one for one in (await fold.results(opened)).cells if one.answer is not None]
        found: list[Found] = []
        for world, some in _by_world(cells).items():
            found += await _leaks(material, world, some, sure)
    found.sort(key=lambda one: (-one[1].score, one[0].seq))
    leaking = {id(cell) for cell, _ in found}
    rows = [_row(cell, leak) for cell, leak in found]

    def rates(name: Callable[[CellResult], str]) -> tuple[AuditRate, ...]:
        return _rates(cells, leaking, name)

    return ExamAudit(
        name=exam.plan.name,
        answers=len(cells),
        leaks=len(found),
        fair=sum(not is_unsafe(cell.cell.arm.seat.memory) for cell, _ in found),
        sure=sure,
        total=len(rows),
        skipped=skip,
        rows=tuple(rows[skip : skip + limit]),
        arms=rates(lambda one: one.cell.arm.name),
        characters=rates(lambda one: one.cell.subject.character),
        models=rates(lambda one: one.cell.arm.seat.model),
        memories=rates(lambda one: one.cell.arm.seat.memory),
    )


def _by_world(cells: Iterable[CellResult]) -> dict[str, list[CellResult]]:
    worlds: dict[str, list[CellResult]] = defaultdict(list)
    for one in cells:
        worlds[one.cell.subject.world].append(one)
    return worlds


async def _leaks(
    material: Log, world: str, cells: Sequence[CellResult], sure: float
) -> list[Found]:
    events = await (await material.director(world)).events()
    knowledge = await material.knowledge(world)

    def look() -> list[Found]:
        told = {
            who: {seq: known.at or 0 for seq, known in knowledge.told(who).items()}
            for who in knowledge.characters
        }
        finder = LeakFinder((event for event in events if not is_outside_story(event)), told)
        looked = ((one, finder.look(_line(one))) for one in cells)
        return [(one, leak) for one, leak in looked if leak is not None and leak.score >= sure]

    return await asyncio.to_thread(look)


def _line(result: CellResult) -> SpokenLine:
    """An answer, without the words of its question."""
    subject, unit = result.cell.subject, result.cell.unit
    choices = unit.asked.question.choices if isinstance(unit, Unit) else ()
    known = set(terms(" ".join([subject.text, *choices])))
    said = [word for word in (result.answer or "").split() if not known & set(terms(word))]
    return SpokenLine(NEVER, subject.character, " ".join(said), subject.seq)


def _row(result: CellResult, leak: Leak) -> AnswerLeak:
    subject = result.cell.subject
    return AnswerLeak(
        arm=result.cell.arm.name,
        unit=result.cell.unit.id,
        world=subject.world,
        who=subject.character,
        upto=subject.seq,
        question=subject.text,
        answer=result.answer or "",
        fact=leak.of.seq,
        later=leak.later,
        score=leak.score,
        why=refusal(leak).why,
    )


def _rates(
    cells: Iterable[CellResult], leaking: set[int], name: Callable[[CellResult], str]
) -> tuple[AuditRate, ...]:
    """By name, those with most leaks first."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in cells:
        counts[name(one)][0] += 1
        counts[name(one)][1] += id(one) in leaking
    rates = [AuditRate(called, whole, leaks, 0) for called, (whole, leaks) in counts.items()]
    return tuple(sorted(rates, key=lambda rate: (-rate.leaks, rate.name)))
