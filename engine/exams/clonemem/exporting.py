"""An exam in the form of CloneMem: the questions about one of its lives, and beside them its traces."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams import json_file
from whoknew.engine.exams.clonemem.clonemem_exam import ClonememExam
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.world_questions import questions_on
from whoknew.engine.opening import check_new
from whoknew.worlds.importers.clonemem.form import TRACES, beside_of
from whoknew.worlds.importers.clonemem.writing import form_of
from whoknew.worlds.importers.imported import Remark


class ExportedLife(Struct, frozen=True):
    """What an export came to: two files."""

    file: str
    traces_file: str
    world: str
    traces: int
    questions: int
    remarks: tuple[Remark, ...]


async def export_life(exam: LoadedExam, file: Path, world: str | None = None) -> ExportedLife:
    """Write the questions about a life into a new file, and its traces into one beside it; the world of
    the life has to be named where there are several."""
    if file.suffix != ".json":
        raise WrongPlan(f"{file}: name a JSON file: its traces go beside it into NAME{TRACES}")
    beside = beside_of(file)
    for one in (file, beside):
        check_new(one)
    if isinstance(exam.kind, ClonememExam):  # as they stand in the file
        exam = replace(exam, kind=replace(exam.kind, forms=("choices",)))
    about = await questions_on(exam, world)
    form = await asyncio.to_thread(form_of, about.world, about.events, about.questions)
    if not form.life.traces:
        raise WrongPlan(f"{exam.source}: nobody leaves a trace in {about.world!r}: it is no life")
    await asyncio.to_thread(json_file.write, beside, form.life)
    await asyncio.to_thread(json_file.write, file, form.items)
    return ExportedLife(
        file=str(file),
        traces_file=str(beside),
        world=about.world,
        traces=len(form.life.traces),
        questions=len(form.items),
        remarks=form.remarks,
    )
