"""Figures as people read them: a table that fits in 80 columns, and what it leaves out below."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from figure import Figure
from rich.console import Console
from rich.table import Table

console = Console()


def show(machine: dict[str, str], figures: Sequence[Figure]) -> None:
    console.print()
    for what, found in machine.items():
        console.print(f"[dim]{what:12}[/] {found}", highlight=False)
    console.print(_table(figures))
    for figure in figures:
        if figure.missing:
            console.print(f"{figure.name}: [yellow]{figure.missing}[/]", highlight=False)
        notes = [f"{what} {found}" for what, found in figure.notes.items()]
        beside = [f"limit: {figure.beside}"] if figure.beside else []
        if notes or beside:
            console.print(f"[dim]{figure.name}: {'; '.join(beside + notes)}[/]", highlight=False)


def _table(figures: Sequence[Figure]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("figure", ratio=1)
    for title in ("ours", "unit", "limit", "ratio", "±", "reach"):
        table.add_column(title, justify="left" if title == "unit" else "right", no_wrap=True)
    for figure in figures:
        if not figure.missing:
            table.add_row(*_cells(figure))
    return table


def _cells(figure: Figure) -> tuple[str, ...]:
    colour = {True: "green", False: "red", None: "default"}[figure.met]
    limit = _number(median(figure.limit)) if figure.limit else ""
    reach = f"[{colour}]{figure.reach}[/]" if figure.reach else ""
    ours, ratio = _number(figure.median or 0), _ratio(figure)
    spread = "" if figure.spread is None else f"{figure.spread:.0%}"
    return figure.name, ours, figure.unit, limit, ratio, spread, reach


def _ratio(figure: Figure) -> str:
    if figure.ratio is None:
        return ""
    return f"{figure.ratio:.0%}" if figure.ratio < 2 else f"{figure.ratio:.1f} x"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == 0 else f"{value:.3g}"
