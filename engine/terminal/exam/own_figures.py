"""Figures that a kind of exam counts itself, which have no error, as a table."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.arm_style import arm_style


def own_shown(found: ExamTable) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for name in found.own:
        table.add_column(safe(name), justify="right", overflow="fold")
    for row in found.rows:
        values = [arms.get(row.arm) for arms in found.own.values()]
        table.add_row(safe(row.arm), *map(_value, values), style=arm_style(row.arm))
    return table


def _value(value: float | None) -> str:
    """A count as a count."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
