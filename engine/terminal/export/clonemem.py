"""`whoknew export clonemem`: an exam in the form of CloneMem."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from whoknew.engine.exams import document
from whoknew.engine.exams.clonemem.exporting import ExportedLife, export_life
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.exam.plans import PlanFile
from whoknew.engine.terminal.options import File, Json, OneWorld, alone
from whoknew.engine.terminal.remarks import strange
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew export clonemem lives.toml ruth.json --world 'Maren Soames, 1'"
)
def command(plan: PlanFile, file: File, world: OneWorld = None, json: Json = False) -> None:
    """Write the questions of an exam, and its traces, in the form of CloneMem.

    The items go into FILE, such as ruth.json, the traces that they name into ruth.traces.json beside it.
    `whoknew import clonemem` reads both.
    """
    with reporting():
        exam = document.load(plan, say_loading)
    answer(export_life(exam, file, world), exported, json, "exporting the exam")


def exported(found: ExportedLife) -> Group:
    items = Text(f"{safe(found.file)}: {counted(found.questions, 'item')} on {safe(found.world)}")
    traces = Text(f"{safe(found.traces_file)}: {counted(found.traces, 'trace')}")
    return Group(items, traces, *strange(found.remarks))
