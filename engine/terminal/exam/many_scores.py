"""The table of an exam that has many scores: a row for each of them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.comparing import ONE_CLUSTER, of_one_cluster, too_few_clusters, worded
from whoknew.engine.exams.figures import ArmFigures, mean_shown
from whoknew.engine.exams.kind import Published
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.exam.own_figures import own_shown
from whoknew.engine.terminal.fitting import FittingTable
from whoknew.eventlog.counted import counted


def many_scores(found: ExamTable) -> Iterator[RenderableType]:
    """How far it is, and what all came to; then those pairs that differ by more than chance."""
    yield FittingTable(_far(found))
    shown = {name: found.figures[name] for name in found.main or found.figures}
    yield FittingTable(_scores([one.arm for one in found.rows], shown))
    if found.players:
        players = {name: some for name, some in found.players.items() if name in shown}
        names = dict.fromkeys(one.arm for arms in players.values() for one in arms)
        yield Text("who plays, over all arms and sides", style="bold")
        yield FittingTable(_scores(list(names), players))
    yield Text("mean ± standard error, clustered by what units share", style="dim")
    if found.own:
        yield own_shown(found)
    yield from published_shown(found)
    yield from _pairs(found, shown)
    yield Text("")


def published_shown(found: ExamTable) -> Iterator[RenderableType]:
    """What the paper of an exam has, where that is wanted."""
    if found.published:
        yield Text("what the paper has, mean ± deviation, of other material", style="bold")
        yield _published(found)


def _pairs(found: ExamTable, shown: Container[str]) -> Iterator[Text]:
    """Those that differ by more than chance; of the others, how many there are."""
    every = chain(found.comparisons.items(), found.player_comparisons.items())
    pairs = [(score, pair) for score, some in every if score in shown for pair in some]
    told = [(score, pair) for score, pair in pairs if pair.tells]
    for score, pair in told:
        yield Text(f"{safe(score)}: {safe(worded(pair, fault=score in found.faults))}")
    if of_one_cluster(pair for _, pair in pairs):
        yield Text(f"{ONE_CLUSTER}. Each difference: --json, or --out", style="dim")
    elif left := [pair for _, pair in pairs if not pair.tells]:
        who = "arms or players" if found.players else "arms"
        what = f"{counted(len(left), 'comparison')} of {who}, score by score, tell no difference"
        if few := too_few_clusters(left):
            what = f"{what}: {few}"
        yield Text(f"{what}. All of them, and all kinds: --json, or --out", style="dim")
    if more := len(found.figures) - len(found.main or found.figures):
        yield Text(f"{more:,} more scores, as its judges gave them: --json, or --out", style="dim")


def _far(found: ExamTable) -> Table:
    table = _table("arm", ["cells", "failed"])
    for row in found.rows:
        table.add_row(safe(row.arm), row.far, f"{row.failed:,}", style=arm_style(row.arm))
    return table


def _scores(names: Sequence[str], figures: Mapping[str, Sequence[ArmFigures]]) -> Table:
    table = _table("score", names)
    for score, arms in figures.items():
        means = {one.arm: one.micro for one in arms}
        table.add_row(safe(score), *(mean_shown(means.get(name)) for name in names))
    return table


def _published(found: ExamTable) -> FittingTable:
    """All of it, or what most of them have: the report has the rest."""
    rows = found.published
    every = list(dict.fromkeys(name for some in rows.values() for name in some))
    most = [one for one in every if 2 * sum(one in some for some in rows.values()) >= len(rows)]
    return FittingTable(_of_others(rows, every), _of_others(rows, most))


def _of_others(rows: Mapping[str, Published], scores: Sequence[str]) -> Table:
    table = _table("who", scores)
    table.columns[0].min_width = LEAST
    for name, some in rows.items():
        pairs = [_pair(*some[score]) if score in some else "" for score in scores]
        table.add_row(safe(name), *pairs)
    return table


LEAST = 12
"""Columns of the screen for the names of others."""


def _pair(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ±{deviation:.2f}"


def _table(first: str, others: Sequence[str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        style = arm_style(name)
        table.add_column(
            safe(name), justify="right", overflow="fold", style=style, header_style=style
        )
    return table
