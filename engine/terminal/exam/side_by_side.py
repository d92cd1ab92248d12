"""A table beside an earlier one, and two arms beside one another."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.beside import MovedFigure, apart, moved
from whoknew.engine.exams.cell_rows import CellRow, DifferingCell, DifferingCells
from whoknew.engine.exams.figures import mean_shown
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.eventlog.counted import counted

FEW = 24
"""Of more figures than these only those that moved have a row each."""

SOME = 15
"""So many cells on which two arms differ are told of."""


def beside(found: ExamTable, other: ExamTable) -> Iterator[RenderableType]:
    yield Text(f"beside {safe(other.name)} of {safe(other.log)}", style="bold")
    every = list(moved(found, other))
    there = [one for one in every if not found.main or one.score in found.main]
    shown = there if len(there) <= FEW else [one for one in there if _moved(one)]
    if shown:
        yield _figures(shown)
        yield Text("difference: in standard errors (SE), units unpaired", style="dim")
    if same := len(there) - len(shown):
        yield Text(f"{counted(same, 'figure')} did not move", style="dim")
    if not every:
        yield Text("the two have no score of an arm in common", style="yellow")
    parts = (what for one in every for what in one.otherwise)
    for what in dict.fromkeys((*apart(found, other), *parts)):
        yield Text(f"not the same: {safe(what)}", style="yellow")


def _moved(one: MovedFigure) -> bool:
    return (one.here.mean, one.here.error) != (one.there.mean, one.there.error)


def _figures(some: list[MovedFigure]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("arm", "score", "here", "there", "difference"):
        left = head in ("arm", "score")
        table.add_column(head, justify="left" if left else "right", overflow="fold")
    for one in some:
        table.add_row(
            safe(one.arm),
            safe(one.score),
            mean_shown(one.here),
            mean_shown(one.there),
            one.difference,
            style=arm_style(one.arm),
        )
    return table


def differing(table: ExamTable, found: DifferingCells) -> Iterator[RenderableType]:
    """The cells on which two arms differ, each with what both gave and in which scores they differ."""
    pair = f"{safe(found.first)} and {safe(found.second)}"
    differ = counted(len(found.cells), "cell")
    yield Text(f"{pair} differ on {differ}, and are alike on {found.alike:,}", style="bold")
    for one in found.cells[:SOME]:
        asked = one.first
        who = f"{safe(asked.character)} in " if asked.character else ""
        time = f", repeat {asked.repeat}" if table.repeats > 1 else ""
        where = f"{who}{safe(asked.world)} at #{asked.seq}, {asked.unit}{time}"
        yield Text(f"{where}: {lined(asked.question)}", style="cyan")
        names = _differing(table, one)
        yield from (_side(cell, names) for cell in (one.first, one.second))
    if len(found.cells) > SOME:
        yield Text(f"... and {len(found.cells) - SOME:,} more: --json", style="dim")


def _differing(table: ExamTable, pair: DifferingCell) -> list[str]:
    """The scores in which they differ; of those that it is about, where there are any of these."""
    one, other = pair.first.scores, pair.second.scores
    names = [name for name in table.figures if one.get(name) != other.get(name)]
    return [name for name in names if name in table.main] or names


def _side(cell: CellRow, names: list[str]) -> Text:
    scores = [f"{safe(name)} {cell.scores[name]:.3g}" for name in names if name in cell.scores]
    said = lined(cell.answer or f"failed: {cell.failure}")
    failed = [f"{safe(who)} gave no verdict" for who in cell.unreviewed]
    style = f"bold {arm_style(cell.arm)}"
    return Text.assemble((f"  {safe(cell.arm)}: ", style), said, f"  {', '.join(scores + failed)}")
