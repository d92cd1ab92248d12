"""The table of an exam that has many scores: a row for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.comparing import worded
from whoknew.engine.exams.figures import ArmFigures, Estimate
from whoknew.engine.exams.report import ExamTable
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import counted


def many_scores(found: ExamTable) -> Iterator[RenderableType]:
    """How far it is, and what all came to; then those pairs that differ by more than chance."""
    yield _far(found)
    yield _scores([one.arm for one in found.rows], found.figures)
    if found.players:
        names = dict.fromkeys(one.arm for arms in found.players.values() for one in arms)
        yield Text("who plays, over all arms and sides", style="bold")
        yield _scores(list(names), found.players)
    yield Text("mean ± standard error, clustered by what units share", style="dim")
    every = list(chain(found.comparisons.items(), found.player_comparisons.items()))
    pairs = [(score, pair) for score, some in every for pair in some]
    told = [(score, pair) for score, pair in pairs if pair.tells]
    for score, pair in told:
        yield Text(f"{safe(score)}: {safe(worded(pair))}")
    if left := len(pairs) - len(told):
        what = f"{counted(left, 'pair')} of arms or players cannot be told apart in a score"
        yield Text(f"{what}; all of them, and all kinds: --json, or --out", style="dim")


def mean(one: Estimate | None) -> str:
    if one is None or one.mean is None:
        return "-"
    return f"{one.mean:.3f}" if one.error is None else f"{one.mean:.3f} ±{one.error:.3f}"


def _far(found: ExamTable) -> Table:
    table = _table("arm", ["cells", "failed"])
    for row in found.rows:
        done = row.answered + row.failed
        cells = f"{done:,}" if done == row.cells else f"{done:,} of {row.cells:,}"
        table.add_row(safe(row.arm), cells, f"{row.failed:,}")
    return table


def _scores(names: Sequence[str], figures: Mapping[str, Sequence[ArmFigures]]) -> Table:
    table = _table("score", names)
    for score, arms in figures.items():
        means = {one.arm: one.micro for one in arms}
        table.add_row(safe(score), *(mean(means.get(name)) for name in names))
    return table


def _table(first: str, others: Sequence[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(safe(name), justify="right", overflow="fold")
    return table
