"""An exam in the form of LIFESTATE-BENCH: one of its worlds, and the questions about it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.material import questions_of, reading_material
from whoknew.engine.opening import check_new
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.lifestate import LifestateForm, form_of


class ExportedExam(Struct, frozen=True):
    """What an export came to."""

    file: str
    world: str
    episodes: int
    questions: int
    remarks: tuple[Remark, ...]


async def export_exam(exam: LoadedExam, file: Path, world: str | None = None) -> ExportedExam:
    """Write a world of an exam and the questions about it into a new file; it has to be named where there
    are several."""
    check_new(file)
    if not isinstance(exam.kind, QuestionKind):
        raise WrongPlan(f"{exam.source}: an exam of the kind {exam.plan.exam!r} has no questions")
    async with reading_material(exam) as material:
        asked = (await questions_of(exam, material)).asked.questions
        world = _one(exam, list(dict.fromkeys(one.world for one in asked)), world)
        events = await (await material.director(world)).events()
    some = [one for one in asked if one.world == world]
    form, remarks = await asyncio.to_thread(form_of, world, events, some)
    await asyncio.to_thread(_write, file, form)
    return ExportedExam(
        file=str(file),
        world=world,
        episodes=len(form.episodes),
        questions=sum(map(len, form.questions.values())),
        remarks=tuple(remarks),
    )


def _one(exam: LoadedExam, worlds: list[str], world: str | None) -> str:
    if world is None and len(worlds) > 1:
        raise WrongPlan(
            f"{exam.source}: is about {len(worlds)} worlds, and the form has one: say which, by "
            f"--world ({', '.join(worlds[:5])}{', ...' if len(worlds) > 5 else ''})"
        )
    if world is not None and world not in worlds:
        raise WrongPlan(f"{exam.source}: asks nothing about {world!r}: {nearest(world, worlds)}")
    return world or worlds[0]


def _write(file: Path, form: LifestateForm) -> None:
    with becoming(file) as partial:
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(form), indent=2) + b"\n")
