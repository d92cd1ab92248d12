"""An exam in the form of LIFESTATE-BENCH: one of its worlds, and the questions about it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct

from whoknew.engine.exams import json_file
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.world_questions import questions_on
from whoknew.engine.opening import check_new
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.lifestate import form_of


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
    about = await questions_on(exam, world)
    form, remarks = await asyncio.to_thread(form_of, about.world, about.events, about.questions)
    await asyncio.to_thread(json_file.write, file, form)
    return ExportedExam(
        file=str(file),
        world=about.world,
        episodes=len(form.episodes),
        questions=sum(map(len, form.questions.values())),
        remarks=tuple(remarks),
    )
