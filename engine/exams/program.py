"""Exams from a program or a notebook: loaded, sat and read."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from whoknew.engine.exams import document
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.run import ExamOptions, Sat, chosen, run_exam
from whoknew.engine.exams.table import TabledCells
from whoknew.engine.plan.settings import Announce, quietly

AS_IT_IS = ExamOptions()


def load_exam(
    path: Path | str, options: ExamOptions = AS_IT_IS, *, announce: Announce = quietly
) -> LoadedExam:
    """The exam of a plan in a file that a person named, as the plan says or the options say otherwise;
    all mistakes of the plan in one BadDocument. `announce` is told of parts that stand beside the
    file before they are loaded."""
    return chosen(document.load(Path(path), announce), options)


async def sit_exam(
    exam: LoadedExam, options: ExamOptions = AS_IT_IS, *, again: bool = False
) -> Sat:
    """Ask what the log of the exam lacks, and nothing else: what `whoknew exam run` does. The same
    call goes on where one stopped. `again`: what failed is asked again."""
    return await run_exam(exam, options, nullcontext, again=again, by_command=False)


async def read_exam(exam: LoadedExam, options: ExamOptions = AS_IT_IS) -> TabledCells:
    """The table of an exam and its cells, as far as it has come. Nothing is asked."""
    return await tabled(exam, options)
