"""Judges beside people, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.console import safe
from whoknew.eventlog.counted import counted


def people_shown(found: ExamTable) -> Iterator[RenderableType]:
    if found.agreements:
        yield Text("judges beside people", style="bold")
        yield _agreements(found.agreements)
    if found.unmet:
        what = f"{counted(found.unmet, 'label')} of what no judge has a score for"
        yield Text(f"{what}\n", style="yellow")


def _agreements(agreements: Sequence[Agreement]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("judge", "score"):
        table.add_column(head, overflow="fold")
    for head in ("labels", "taken", "people", "precision", "recall", "F1", "kappa"):
        table.add_column(head, justify="right", overflow="fold")
    for one in agreements:
        rates = (one.precision, one.recall, one.f1, one.kappa)
        counts = (f"{one.labels:,}", f"{one.found:,}", f"{one.wanted:,}")
        shown = ("-" if rate is None else f"{rate:.2f}" for rate in rates)
        table.add_row(safe(one.judge), safe(one.score), *counts, *shown)
    return table
