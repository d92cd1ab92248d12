"""`whoknew export lifestate`: an exam in the form of LIFESTATE-BENCH."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from whoknew.engine.exams import document
from whoknew.engine.exams.lifestate.exporting import ExportedExam, export_exam
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.exam.plans import PlanFile
from whoknew.engine.terminal.options import File, Json, OneWorld, alone
from whoknew.engine.terminal.remarks import strange
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew export lifestate diner.toml diner.json")
def command(plan: PlanFile, file: File, world: OneWorld = None, json: Json = False) -> None:
    """Write the questions of an exam in the form of LIFESTATE-BENCH.

    With them goes what they are about: episodes and role cards. What came in that form goes out as it
    came in.
    """
    with reporting():
        exam = document.load(plan, say_loading)
    answer(export_exam(exam, file, world), exported, json, "exporting the exam")


def exported(found: ExportedExam) -> Group:
    what = f"{counted(found.episodes, 'episode')} of {safe(found.world)}"
    line = f"{safe(found.file)}: {what}, {counted(found.questions, 'question')}"
    return Group(Text(line), *strange(found.remarks))
