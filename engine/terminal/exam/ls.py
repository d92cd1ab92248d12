"""`whoknew exam ls`: the exams of a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.ls import ListedExam, exams
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import err, lined, safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.options import VARIABLE, Json, alone

app = alone()


@app.command(epilog="Example: whoknew exam ls exam.db")
def command(
    log: Annotated[
        str | None, typer.Argument(metavar="[LOG]", hidden=True, envvar=VARIABLE)
    ] = None,
    json: Json = False,
) -> None:
    """List the exams of a log: their arms, how far each is, when.

    Without LOG: those of all log files (*.db) in this folder. Of a file that holds none, or cannot be
    read, a line on stderr says so.
    """
    answer(exams(log, Path(), _remark), lambda found: shown(found, log), json, "reading the exams")


def _remark(what: str) -> None:
    err().print(Text(lined(what), style="dim"), soft_wrap=True)


def shown(found: Sequence[ListedExam], log: str | None) -> Group:
    return Group(*_parts(found, log))


def _parts(found: Sequence[ListedExam], log: str | None) -> Iterator[RenderableType]:
    if not found:
        where = safe(log) if log is not None else "No log (*.db) in this folder"
        yield Text(f"{where} holds {'no' if log else 'an'} exam: `whoknew exam run PLAN` sits one")
    for one in found:
        yield Text.assemble((safe(one.name), "bold"), f"  {_told(one)}")
        yield _arms(one)


def _told(one: ListedExam) -> str:
    """Where it is kept, of what kind, about what, judged by whom, and when."""
    about = f"{one.kind} about {', '.join(map(safe, one.material[:SOME]))}" if one.material else ""
    if len(one.material) > SOME:
        about += f" and {len(one.material) - SOME:,} more worlds"
    judges = f"judged by {', '.join(map(safe, one.judges))}" if one.judges else "not judged"
    when = f"{one.begun:%Y-%m-%d %H:%M} to {one.last:%Y-%m-%d %H:%M}"
    return "; ".join(filter(None, (safe(one.log), about, judges, when)))


SOME = 3
"""So many worlds are named."""


def _arms(one: ListedExam) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for head in ("digest", "answered", "failed"):
        table.add_column(head, justify="right")
    for arm in one.arms:
        counts = (f"{arm.answered:,}", f"{arm.failed:,}")
        table.add_row(safe(arm.name), arm.digest, *counts, style=arm_style(arm.name))
    return table
