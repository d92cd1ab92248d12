"""Figures that a kind of exam counts itself, which have no error, as a table."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.fitting import FittingTable


def own_shown(found: ExamTable) -> FittingTable:
    """A row for each arm, or, where the screen is too narrow for that, for each figure; the other way round
    where there are more figures than arms."""
    if len(found.own) > len(found.rows):
        return FittingTable(_by_figure(found), _by_arm(found))
    return FittingTable(_by_arm(found), _by_figure(found))


def _by_arm(found: ExamTable) -> Table:
    table = _table("arm", *found.own)
    for row in found.rows:
        values = [_value(name, arms.get(row.arm)) for name, arms in found.own.items()]
        table.add_row(safe(row.arm), *values, style=arm_style(row.arm))
    return table


def _by_figure(found: ExamTable) -> Table:
    table = _table("", *[row.arm for row in found.rows])
    for name, arms in found.own.items():
        table.add_row(safe(name), *[_value(name, arms.get(row.arm)) for row in found.rows])
    return table


def _table(first: str, *heads: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in heads:
        style = arm_style(name)
        table.add_column(safe(name), justify="right", overflow="fold", header_style=style)
    return table


def _value(name: str, value: float | None) -> str:
    """A count as a count."""
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.1f}" if "%" in name else f"{value:.3f}"
