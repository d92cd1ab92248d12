"""`whoknew exam audit`: which answers give away what whoever was asked could not know."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.exams.audit import AnswerLeak, ExamAudit, audit_exam, forecast_exam_audit
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.exam.plans import ExamLogOption, PlanFile, exam_of
from whoknew.engine.terminal.leaks import (
    DryRun,
    Limit,
    Reader,
    Skip,
    Sure,
    check_reader,
    findings,
    foreseen,
    leaking,
    rates,
    read_by,
    said_of,
)
from whoknew.engine.terminal.options import Json, alone
from whoknew.engine.travel.knows import LIMIT
from whoknew.eventlog.counted import counted
from whoknew.eventlog.knowledge import SURE

app = alone()


@app.command(epilog="Example: whoknew exam audit exam.toml")
def command(
    plan: PlanFile,
    sure: Sure = SURE,
    limit: Limit = LIMIT,
    skip: Skip = 0,
    model: Reader = None,
    dry_run: DryRun = False,
    log: ExamLogOption = None,
    json: Json = False,
) -> None:
    """Find answers that give away what could not be known.

    By rule, in all answers of an exam of questions; with --model, a model reads what the rule found. It
    exits with 1 where there are some, but for those of arms that leak on purpose.
    """
    check_reader(model, dry_run=dry_run)
    with reporting(), set_aside(json):
        exam = exam_of(plan, ExamOptions(log=log))
    if model and dry_run:
        answer(forecast_exam_audit(exam, model, sure=sure), foreseen, json)
        return
    work = audit_exam(exam, sure=sure, limit=limit, skip=skip, model=model)
    found = answer(work, shown, json)
    if found.fair or (found.reading and found.reading.error):
        raise typer.Exit(1)


def shown(found: ExamAudit) -> Group:
    return Group(*_parts(found))


def _parts(found: ExamAudit) -> Iterator[RenderableType]:
    yield Text(f"{safe(found.name)}: {counted(found.answers, 'answer')}", "bold")
    yield leaking(found.leaks, "answer", "whoever was asked")
    yield from read_by(found.reading, found.denied)
    if found.refused:
        yield Text(f"{counted(found.refused, 'answer')} more, which a guard refused", "dim")
    for row in found.rows:
        yield Text()
        yield from _row(row)
    yield from findings(found)
    yield from rates("arm", "answer", found.arms)
    yield from rates("character", "answer", found.characters)
    yield from rates("model", "answer", found.models)
    yield from rates("memory", "answer", found.memories)


def _row(row: AnswerLeak) -> Iterator[RenderableType]:
    what = "comes later" if row.later else "unseen"
    head = f"{safe(row.who)} at #{row.upto} of {safe(row.world)}, {what}, {row.score:.2f}"
    style = "dim" if row.confirmed is False else "bold red"
    yield Text.assemble((head, style), (f"  {safe(row.arm)}  {row.unit[:12]}", "dim"))
    yield Text(f"  {lined(row.question)}", "dim")
    yield Text(f"  {lined(row.answer)}")
    yield Text(f"  {lined(row.why)}", "dim")
    yield from said_of(row)
