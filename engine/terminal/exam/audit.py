"""`whoknew exam audit`: which answers give away what whoever was asked could not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.audit import AnswerLeak, ExamAudit, audit_exam
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.exam.plans import ExamLogOption, PlanFile, exam_of
from whoknew.engine.terminal.figures import counted, paged
from whoknew.engine.terminal.options import Json, alone
from whoknew.engine.travel.audit import LIMIT
from whoknew.eventlog.knowledge import SURE

app = alone()


@app.command(epilog="Example: whoknew exam audit exam.toml")
def command(
    plan: PlanFile,
    sure: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Count only what is at least so sure.")
    ] = SURE,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")] = LIMIT,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    log: ExamLogOption = None,
    json: Json = False,
) -> None:
    """Find answers that give away what could not be known.

    By rule, in all answers of an exam of questions. It exits with 1 where there are some, but for those
    of arms that leak on purpose.
    """
    with reporting():
        exam = exam_of(plan, ExamOptions(log=log), offline=False)
    found = answer(audit_exam(exam, sure=sure, limit=limit, skip=skip), shown, json)
    if found.fair:
        raise typer.Exit(1)


def shown(found: ExamAudit) -> Group:
    return Group(*_parts(found))


def _parts(found: ExamAudit) -> Iterator[RenderableType]:
    yield Text(f"{safe(found.name)}: {counted(found.answers, 'answer')}", "bold")
    leaks = f"{counted(found.leaks, 'answer')} of what whoever was asked could not know"
    yield Text(leaks, "red" if found.leaks else "green")
    for row in found.rows:
        yield Text()
        yield from _row(row)
    if found.total:
        yield Text(f"\n{paged(counted(found.total, 'finding'), found)}", "dim")
    for title, rates in (
        ("arm", found.arms),
        ("character", found.characters),
        ("model", found.models),
        ("memory", found.memories),
    ):
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_row(Text(title, "bold cyan"), "answers", "leaks", "rate")
        for rate in rates:
            share = f"{rate.leaks / rate.lines:.1%}"
            name, style = safe(rate.name), arm_style(rate.name)
            table.add_row(name, f"{rate.lines:,}", f"{rate.leaks:,}", share, style=style)
        yield Text()
        yield table


def _row(row: AnswerLeak) -> Iterator[RenderableType]:
    what = "comes later" if row.later else "unseen"
    head = f"{safe(row.who)} at #{row.upto} of {safe(row.world)}, {what}, {row.score:.2f}"
    yield Text.assemble((head, "bold red"), (f"  {safe(row.arm)}  {row.unit[:12]}", "dim"))
    yield Text(f"  {lined(row.question)}", "dim")
    yield Text(f"  {lined(row.answer)}")
    yield Text(f"  {lined(row.why)}", "dim")
