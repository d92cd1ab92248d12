"""The answers of an arm in the form in which the authors of TimeChara keep theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from whoknew.agents.methods.experts import ExpertHint
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams import json_file
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.material import questions_of, reading_material
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.opening import check_new
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.question import Question

NO_THOUGHT = "-"


class GivenResponse(Struct, frozen=True):
    """One answer: the number of its instance, and the hint that came with the question."""

    data_idx: int
    response: str
    thought: str


class ExportedAnswers(Struct, frozen=True):
    """What an export came to: so many answers, and how many questions have none."""

    file: str
    arm: str
    answers: int
    missing: int


async def export_answers(exam: LoadedExam, arm: str, file: Path) -> ExportedAnswers:
    """Write what an arm answered, once each, into a new file: in the order of the authors' instances,
    or of the exam's own questions where they come from elsewhere."""
    check_new(file)
    names = [one.name for one in exam.arms]
    if not isinstance(exam.kind, QuestionKind):
        raise WrongPlan(f"{exam.source}: an exam of the kind {exam.plan.exam!r} has no answers")
    if arm not in names:
        raise WrongPlan(f"{exam.source}: has no arm {arm!r}: {nearest(arm, names)}")
    async with reading_material(exam) as material:
        asked = (await questions_of(exam, material)).asked.questions
    places = _numbers(asked)
    cells = (await tabled(exam, ExamOptions())).cells
    found = [
        GivenResponse(places[one.unit], one.answer, _thought(one.hint))
        for one in cells
        if one.arm == arm and one.repeat == 1 and one.answer is not None
    ]
    found.sort(key=lambda one: one.data_idx)
    await asyncio.to_thread(json_file.write, file, found)
    return ExportedAnswers(str(file), arm, len(found), len(asked) - len(found))


def _numbers(asked: Sequence[Question]) -> dict[str, int]:
    """Of each question that of its instance, where all have one of their own; or else its place."""
    given = [one.labels.get("number") for one in asked]
    known = [one for one in given if isinstance(one, int)]
    numbers = known if len({*known}) == len(asked) else range(len(asked))
    return {one.id: number for one, number in zip(asked, numbers, strict=True)}


def _thought(hint: str | None) -> str:
    return next((one.value for one in ExpertHint if one.name.lower() == hint), NO_THOUGHT)
