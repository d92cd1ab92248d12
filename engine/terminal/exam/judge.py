"""`whoknew exam judge`: judges are heard on answers that are there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from rich.console import Group

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.judge import judge, with_judges
from whoknew.engine.exams.labels import labelled, with_labels
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.run import ExamOptions, Sat
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.exam import report as reports
from whoknew.engine.terminal.exam.plans import of_an_exam
from whoknew.engine.terminal.exam.run import ended, watching
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
    """What came of it."""

    sat: Sat
    table: ExamTable


async def _judged(
    exam: LoadedExam,
    heard: LoadedExam,
    options: ExamOptions,
    *,
    again: bool,
    card: bool,
    labels: Path | None,
) -> JudgedExam:
    held = await labelled(exam, labels) if labels else None
    sat = await judge(heard, options, watching, again=again, card=card)
    found = await tabled(exam, options)
    return JudgedExam(
        sat=sat, table=with_labels(found, held, heard.judges) if held else found.table
    )


def shown(found: JudgedExam, command: str) -> Group:
    return Group(reports.shown(found.table), *ended(found.sat, command))
