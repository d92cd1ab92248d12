"""`whoknew exam judge`: judges are heard on answers that are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.agreement import Agreement, labels_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.judge import beside_people, judge, with_judges
from whoknew.engine.exams.report import ExamTable, report
from whoknew.engine.exams.run import ExamOptions, Sat
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam import report as reports
from whoknew.engine.terminal.exam.plans import of_an_exam
from whoknew.engine.terminal.exam.run import ended, watching
from whoknew.engine.terminal.figures import counted
from whoknew.engine.terminal.options import Json, alone, flag, option

app = alone()


@app.command(epilog="Example: whoknew exam judge exam.toml --card")
@of_an_exam
def command(
    exam: LoadedExam,
    options: ExamOptions,
    judges: Annotated[
        list[str] | None, option("--judge", "NAME", "Only this judge; several may be given.")
    ] = None,
    card: Annotated[
        bool, flag("--card", "Have planted answers judged, too: what does each judge let pass?")
    ] = False,
    labels: Annotated[
        Path | None, option("--labels", "FILE", "Hold judges against what people gave.")
    ] = None,
    again: Annotated[bool, flag("--again", "Judge again what failed before.")] = False,
    json: Json = False,
) -> None:
    """Judge old answers anew, by new judges or changed ones.

    Nothing is asked of an arm. A judge that was changed is another one: it is heard on every answer,
    and takes over no grade.
    """
    with reporting():
        heard = with_judges(exam, judges or ())
    work = _judged(exam, heard, options, again=again, card=card, labels=labels)
    found = answer(work, lambda one: shown(one, command_line()), json)
    if found.sat.code:
        raise typer.Exit(found.sat.code)


class JudgedExam(Struct, frozen=True, kw_only=True):
    """What came of it. Of the labels of people, `unmet` are of answers that no judge has a score for."""

    sat: Sat
    table: ExamTable
    agreements: tuple[Agreement, ...] = ()
    unmet: int = 0


async def _judged(
    exam: LoadedExam,
    heard: LoadedExam,
    options: ExamOptions,
    *,
    again: bool,
    card: bool,
    labels: Path | None,
) -> JudgedExam:
    if labels:
        await labels_of(labels)  # what is wrong with them is told before anything is paid for
    sat = await judge(heard, options, watching, again=again, card=card)
    found, unmet = await beside_people(heard, options, labels) if labels else ((), 0)
    return JudgedExam(sat=sat, table=await report(exam, options), agreements=found, unmet=unmet)


def shown(found: JudgedExam, command: str) -> Group:
    return Group(reports.shown(found.table), *_people(found), *ended(found.sat, command))


def _people(found: JudgedExam) -> Iterator[RenderableType]:
    if found.agreements:
        yield Text("judges beside people", style="bold")
        yield _agreements(found.agreements)
    if found.unmet:
        what = f"{counted(found.unmet, 'label')} of answers that no judge has a score for"
        yield Text(what, style="yellow")


def _agreements(agreements: Sequence[Agreement]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("judge", "score"):
        table.add_column(head, overflow="fold")
    for head in ("labels", "taken", "by people", "precision", "recall", "F1", "kappa"):
        table.add_column(head, justify="right")
    for one in agreements:
        rates = (one.precision, one.recall, one.f1, one.kappa)
        counts = (f"{one.labels:,}", f"{one.found:,}", f"{one.wanted:,}")
        shown = ("-" if rate is None else f"{rate:.2f}" for rate in rates)
        table.add_row(safe(one.judge), safe(one.score), *counts, *shown)
    return table
