"""Exams from a program or a notebook: loaded, sat and read."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.exams import document
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.run import ExamOptions, Sat, chosen, opened_session
from whoknew.engine.exams.session import ExamProgress
from whoknew.engine.exams.table import TabledCells
from whoknew.engine.plan.settings import Announce, quietly
from whoknew.engine.playing.control import Control
from whoknew.engine.running.stop import check_alone

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
    check_alone(exam.plan.address, [exam.plan.name])
    progress = ExamProgress()
    control = Control(exam.plan.limit, progress.spent, may_fail=exam.plan.may_fail)
    async with opened_session(exam, options, control, progress, again=again) as sitting:
        sitting.survey()
        await sitting.sit()
    return Sat(progress, control.reason, None if control.reason else control.failing())


async def read_exam(exam: LoadedExam, options: ExamOptions = AS_IT_IS) -> TabledCells:
    """The table of an exam and its cells, as far as it has come. Nothing is asked."""
    return await tabled(exam, options)
