"""`whoknew export timechara`: the answers of an arm, as the authors keep theirs."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text

from whoknew.engine.exams import document
from whoknew.engine.exams.timechara.exporting import ExportedAnswers, export_answers
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.exam.plans import PlanFile
from whoknew.engine.terminal.options import File, Json, alone, argument
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew export timechara novels.toml experts out.json")
def command(
    plan: PlanFile, arm: Annotated[str, argument("ARM")], file: File, json: Json = False
) -> None:
    """Write what an arm answered in the form of TimeChara's own answers.

    In the order of the instances, each with its number, and with the hint that experts gave.
    """
    with reporting():
        exam = document.load(plan, say_loading)
    answer(export_answers(exam, arm, file), exported, json, "exporting the answers")


def exported(found: ExportedAnswers) -> Text:
    missing = f"; {counted(found.missing, 'question')} without" if found.missing else ""
    return Text(
        f"{safe(found.file)}: {counted(found.answers, 'answer')} of {safe(found.arm)}{missing}"
    )
