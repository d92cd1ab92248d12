"""`whoknew exam report`: the table of an exam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.comparing import worded
from whoknew.engine.exams.figures import ArmFigures, Estimate
from whoknew.engine.exams.report import ExamRow, ExamTable, report
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.plans import (
    ExamLogOption,
    LimitOption,
    OfflineOption,
    OnlyOption,
    PlanFile,
    RepeatsOption,
    exam_of,
)
from whoknew.engine.terminal.figures import counted, money, short
from whoknew.engine.terminal.options import Json, alone

app = alone()


@app.command(epilog="Example: whoknew exam report exam.toml")
def command(
    plan: PlanFile,
    log: ExamLogOption = None,
    offline: OfflineOption = False,
    only: OnlyOption = None,
    limit: LimitOption = None,
    repeats: RepeatsOption = None,
    json: Json = False,
) -> None:
    """Show the table of an exam, as far as it has come.

    Nothing is asked. What failed is counted apart, and stands in no mean.
    """
    options = ExamOptions(log=log, only=tuple(only or ()), limit=limit, repeats=repeats)
    with reporting():
        exam = exam_of(plan, options, offline=offline)
    answer(report(exam, options), shown, json, "reading the exam")


def shown(found: ExamTable) -> Group:
    return Group(*_parts(found))


def _parts(found: ExamTable) -> Iterator[RenderableType]:
    for remark in found.remarks:
        yield Text(safe(remark), style="yellow")
    times = f", each {found.repeats} times" if found.repeats > 1 else ""
    yield Text(f"{safe(found.name)}: {counted(found.questions, 'question')}{times}", style="bold")
    yield _scores(found)
    if found.figures:
        yield Text("mean ± standard error, clustered by what questions share", style="dim")
    for score, arms in found.figures.items():
        if len(found.kinds) > 1:
            yield Text(f"{safe(score)}, by kind", style="bold")
            yield _by_kind(found, arms)
    if found.own:
        yield _own(found)
    for score, pairs in found.comparisons.items():
        if pairs:
            yield Text(f"{safe(score)}, arm beside arm", style="bold")
            yield from (Text(f"  {safe(worded(pair))}") for pair in pairs[:SOME])
        if len(pairs) > SOME:
            yield Text(f"  ... and {len(pairs) - SOME:,} more pairs: --json", style="dim")
    yield Text("what it took", style="bold")
    yield _costs(found)


SOME = 15
"""So many pairs of arms are told of."""


def _heads(*names: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    return table


def _scores(found: ExamTable) -> Table:
    table = _heads("cells", "failed", *map(safe, found.figures))
    for row in found.rows:
        means = [
            _mean(next((one.micro for one in arms if one.arm == row.arm), None))
            for arms in found.figures.values()
        ]
        table.add_row(safe(row.arm), _cells(row), f"{row.failed:,}", *means)
    return table


def _cells(row: ExamRow) -> str:
    done = row.answered + row.failed
    return f"{done:,}" if done == row.cells else f"{done:,} of {row.cells:,}"


def _by_kind(found: ExamTable, arms: Sequence[ArmFigures]) -> Table:
    kinds = [kind for kind in found.kinds if any(kind in one.kinds for one in arms)]
    table = _heads(*(f"{safe(kind)} ({found.kinds[kind]:,})" for kind in kinds), "macro")
    for one in arms:
        means = [_mean(one.kinds.get(kind)) for kind in kinds]
        table.add_row(safe(one.arm), *means, _mean(one.macro))
    return table


def _own(found: ExamTable) -> Table:
    """What its kind counts, which has no error."""
    table = _heads(*map(safe, found.own))
    for row in found.rows:
        values = [arms.get(row.arm) for arms in found.own.values()]
        table.add_row(safe(row.arm), *("-" if one is None else f"{one:.3f}" for one in values))
    return table


def _mean(one: Estimate | None) -> str:
    if one is None or one.mean is None:
        return "-"
    return f"{one.mean:.3f}" if one.error is None else f"{one.mean:.3f} ±{one.error:.3f}"


def _costs(found: ExamTable) -> Table:
    table = _heads("calls", "tokens", "money", "judging")
    for row in found.rows:
        figures = (short(row.calls), short(row.tokens), money(row.money), money(row.judging))
        table.add_row(safe(row.arm), *figures)
    return table
