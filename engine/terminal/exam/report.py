"""`whoknew exam report`: the table of an exam."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.beside import earlier
from whoknew.engine.exams.comparing import ONE_CLUSTER, of_one_cluster, worded
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.figures import mean_shown
from whoknew.engine.exams.report_files import ExamReported, ReportWanted, Written, reported
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.exam.cards import cards_shown
from whoknew.engine.terminal.exam.many_scores import many_scores, published_shown
from whoknew.engine.terminal.exam.own_figures import own_shown
from whoknew.engine.terminal.exam.people import people_shown
from whoknew.engine.terminal.exam.plans import of_what_is_there
from whoknew.engine.terminal.exam.side_by_side import beside, differing
from whoknew.engine.terminal.figures import money, short
from whoknew.engine.terminal.fitting import FittingTable
from whoknew.engine.terminal.options import PORT, Json, alone, flag, option
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew exam report exam.toml --out report")
@of_what_is_there
def command(
    exam: LoadedExam,
    options: ExamOptions,
    out: Annotated[
        Path | None, option("--out", "FOLDER", "Write the table as files there, and a page.")
    ] = None,
    compare: Annotated[
        Path | None, option("--compare", "FOLDER", "Show it beside what an earlier --out wrote.")
    ] = None,
    differ: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--differ", metavar="ARM ARM", help="Show the cells on which these two arms differ."
        ),
    ] = None,
    viewer: Annotated[
        str, option("--viewer", "URL", "Links in the page lead to this `whoknew serve`.")
    ] = f"http://127.0.0.1:{PORT}",
    paper: Annotated[
        bool, flag("--paper", "Show the figures that a paper has of such an exam beside it.")
    ] = False,
    labels: Annotated[
        Path | None, option("--labels", "FILE", "Hold judges against what people gave.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the table of an exam, as far as it has come.

    Nothing is asked. What failed is counted apart, and stands in no mean.
    """
    if not viewer.startswith(("http://", "https://")):
        raise typer.BadParameter(
            f"--viewer {viewer!r} is no address: give http://... or https://..."
        )
    if paper and not exam.kind.published:
        raise typer.BadParameter(f"--paper: no paper has figures of an exam {exam.plan.exam!r}")
    with reporting():
        other = earlier(compare) if compare else None
    wanted = ReportWanted(
        out=out, viewer=viewer, other=other, differ=differ, labels=labels, paper=paper
    )
    answer(reported(exam, options, wanted), told, json, "reading the exam")


def told(found: ExamReported) -> Group:
    """The table, and what else was wanted."""
    parts: list[RenderableType] = [shown(found.table)]
    if found.other is not None:
        parts += beside(found.table, found.other)
    if found.differing is not None:
        parts += differing(found.table, found.differing)
    if found.written is not None:
        parts += _written(found.written)
    return Group(*parts)


def shown(found: ExamTable) -> Group:
    return Group(*_parts(found))


def _parts(found: ExamTable) -> Iterator[RenderableType]:
    if found.warning:
        yield Text(safe(found.warning), style="bold red")
    for remark in found.remarks:
        yield Text(safe(remark), style="yellow")
    times = f", each {found.repeats} times" if found.repeats > 1 else ""
    yield Text(f"{safe(found.name)}: {counted(found.units, found.unit)}{times}", style="bold")
    if found.main or len(found.figures) > FEW:
        yield from many_scores(found)
    else:
        yield from _few_scores(found)
    if found.cards:
        yield Text("what judges take of planted answers", style="bold")
        yield cards_shown(found.cards)
    yield from people_shown(found)
    yield Text("what it took", style="bold")
    yield FittingTable(_costs(found))
    yield Text(_origin(found), style="dim")


FEW = 6
"""More scores than these have a row each, and of pairs only those that differ are told one by one."""


def _few_scores(found: ExamTable) -> Iterator[RenderableType]:
    yield FittingTable(_scores(found), _scores(found, high=True), _turned_scores(found))
    if found.figures:
        yield Text("mean ± standard error, clustered by what questions share\n", style="dim")
    for score in found.figures:
        if len(found.kinds) > 1:
            yield Text(f"{safe(score)}, by kind", style="bold")
            yield FittingTable(
                _by_kind(found, score),
                _by_kind(found, score, high=True),
                _turned_kinds(found, score),
            )
    if found.own:
        yield own_shown(found)
    yield from published_shown(found)
    alone = of_one_cluster(pair for pairs in found.comparisons.values() for pair in pairs)
    for score, pairs in found.comparisons.items():
        if pairs:
            yield Text(f"{safe(score)}, arm beside arm", style="bold")
            fault = score in found.faults
            first = sorted(pairs, key=lambda pair: not pair.tells)[:SOME]
            yield from (Text(f"  {safe(worded(pair, known=alone, fault=fault))}") for pair in first)
        if len(pairs) > SOME:
            yield Text(f"  ... and {len(pairs) - SOME:,} more pairs: --json", style="dim")
    if alone:
        yield Text(ONE_CLUSTER, style="yellow")
    if any(found.comparisons.values()):
        yield Text("")


SOME = 15
"""So many pairs of arms are told of, those that differ first."""


def _origin(found: ExamTable) -> str:
    judges = ", ".join(f"{safe(one.name)} {one.digest}" for one in found.judges)
    by = f"judges {judges}; " if judges else ""
    return f"{by}seed {found.seed}, whoknew {found.version}"


def _heads(*names: str, first: str = "arm", high: bool = False) -> Table:
    """A table with these heads: `high` ones have a line for each part of a name."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in names:
        style, head = arm_style(name), safe(name)
        if high:
            head = re.sub(r"[.-]", r"\g<0>\n", head).replace(" (", "\n(")
        table.add_column(head, justify="right", overflow="fold", style=style, header_style=style)
    return table


def _scores(found: ExamTable, *, high: bool = False) -> Table:
    table = _heads("cells", "failed", *found.figures, high=high)
    for row in found.rows:
        means = [
            mean_shown(next((one.micro for one in arms if one.arm == row.arm), None))
            for arms in found.figures.values()
        ]
        table.add_row(safe(row.arm), row.far, f"{row.failed:,}", *means, style=arm_style(row.arm))
    return table


def _by_kind(found: ExamTable, score: str, *, high: bool = False) -> Table:
    kinds = found.kind_heads(score)
    table = _heads(*kinds.values(), "macro", high=high)
    for one in found.figures[score]:
        means = [mean_shown(one.kinds.get(kind)) for kind in kinds]
        table.add_row(safe(one.arm), *means, mean_shown(one.macro), style=arm_style(one.arm))
    return table


def _turned_scores(found: ExamTable) -> Table:
    """The same, with a row for each score."""
    table = _heads(*[row.arm for row in found.rows], first="")
    table.add_row("cells", *[row.far for row in found.rows])
    table.add_row("failed", *[f"{row.failed:,}" for row in found.rows])
    for score, arms in found.figures.items():
        means = {one.arm: one.micro for one in arms}
        table.add_row(safe(score), *[mean_shown(means.get(row.arm)) for row in found.rows])
    return table


def _turned_kinds(found: ExamTable, score: str) -> Table:
    """The same, with a row for each kind."""
    arms = found.figures[score]
    table = _heads(*[one.arm for one in arms], first="kind")
    for kind, head in found.kind_heads(score).items():
        table.add_row(safe(head), *[mean_shown(one.kinds.get(kind)) for one in arms])
    table.add_row("macro", *[mean_shown(one.macro) for one in arms])
    return table


def _costs(found: ExamTable) -> Table:
    leaks = ["leaks"] if any(row.leaking for row in found.rows) else []
    refused = ["refused"] if any(row.refused for row in found.rows) else []
    table = _heads("digest", "calls", "tokens", "money", "judging", *leaks, *refused)
    for row in found.rows:
        figures = (short(row.calls), short(row.tokens), money(row.money), money(row.judging))
        leaking = [f"{row.leaking:,} of {row.prompts:,}" for _ in leaks]
        leaking += [short(row.refused) for _ in refused]
        table.add_row(safe(row.arm), row.digest, *figures, *leaking, style=arm_style(row.arm))
    for memory in found.remembering:
        figures = (short(memory.calls), short(memory.tokens), money(memory.money), "")
        failed = f", {memory.failed:,} failed" if memory.failed else ""
        what = f"remembering ({safe(memory.memory)}{failed})"
        table.add_row(Text(what, "dim"), memory.digest, *figures)
    for writer in found.writing:
        figures = (short(writer.calls), short(writer.tokens), money(writer.money), "")
        what = f"writing {counted(writer.kept, 'question')} ({safe(writer.model)})"
        table.add_row(Text(what, "dim"), writer.digest, *figures)
    return table


def _written(found: Written) -> Iterator[RenderableType]:
    page = next(one for one in found.files if one.endswith(".html"))
    yield Text(f"wrote {safe(page)} and {len(found.files) - 1} files beside it")
    for what in found.missing:
        yield Text(safe(what), style="dim")
