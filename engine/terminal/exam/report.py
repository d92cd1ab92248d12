"""`whoknew exam report`: the table of an exam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.beside import earlier, moved
from whoknew.engine.exams.cell_rows import CellRow, DifferingCells
from whoknew.engine.exams.comparing import worded
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.figures import ArmFigures
from whoknew.engine.exams.lifelong import lifelong
from whoknew.engine.exams.lifelong.lifelong import LivesWanted
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.lifelong.validation import labels_of
from whoknew.engine.exams.report import ExamRow, ExamTable
from whoknew.engine.exams.report_files import ExamReported, ReportWanted, Written, reported
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.exam import lives
from whoknew.engine.terminal.exam.cards import cards_shown
from whoknew.engine.terminal.exam.many_scores import many_scores, mean
from whoknew.engine.terminal.exam.plans import of_an_exam
from whoknew.engine.terminal.figures import counted, money, short
from whoknew.engine.terminal.options import PORT, Json, alone, flag, option

app = alone()


@app.command(epilog="Example: whoknew exam report exam.toml --out report")
@of_an_exam
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
        bool, flag("--paper", "Show an exam of lives beside the paper's own figures.")
    ] = False,
    labels: Annotated[
        Path | None,
        option("--labels", "FILE", "Check the judges of lives against labels given by people."),
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
    if isinstance(exam.kind, LifelongExam):
        with reporting():
            lived = LivesWanted(
                out=out,
                viewer=viewer,
                other=lifelong.earlier(compare) if compare else None,
                paper=paper,
                labels=tuple(labels_of(labels)) if labels else (),
            )
        work = lifelong.reported(exam, lived)
        answer(work, lambda one: lives.shown(one, command_line()), json, "reading the exam")
        return
    if paper or labels:
        raise typer.BadParameter("--paper and --labels are for an exam of lives")
    with reporting():
        other = earlier(compare) if compare else None
    wanted = ReportWanted(out=out, viewer=viewer, other=other, differ=differ)
    answer(reported(exam, options, wanted), told, json, "reading the exam")


def told(found: ExamReported) -> Group:
    """The table, and what else was wanted."""
    parts: list[RenderableType] = [shown(found.table)]
    if found.other is not None:
        parts += _beside(found.table, found.other)
    if found.differing is not None:
        parts += _differing(found.differing)
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
    if len(found.figures) > FEW:
        yield from many_scores(found)
    else:
        yield from _few_scores(found)
    if found.cards:
        yield Text("what judges take of planted answers", style="bold")
        yield cards_shown(found.cards)
    yield Text("what it took", style="bold")
    yield _costs(found)
    yield Text(_origin(found), style="dim")


FEW = 6
"""More scores than these have a row each, and of pairs only those that differ are told one by one."""


def _few_scores(found: ExamTable) -> Iterator[RenderableType]:
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


SOME = 15
"""So many pairs of arms are told of, and so many cells on which two of them differ."""


def _origin(found: ExamTable) -> str:
    judges = ", ".join(f"{safe(one.name)} {one.digest}" for one in found.judges)
    by = f"judges {judges}; " if judges else ""
    return f"{by}seed {found.seed}, whoknew {found.version}"


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
            mean(next((one.micro for one in arms if one.arm == row.arm), None))
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
        means = [mean(one.kinds.get(kind)) for kind in kinds]
        table.add_row(safe(one.arm), *means, mean(one.macro))
    return table


def _own(found: ExamTable) -> Table:
    """What its kind counts, which has no error."""
    table = _heads(*map(safe, found.own))
    for row in found.rows:
        values = [arms.get(row.arm) for arms in found.own.values()]
        table.add_row(safe(row.arm), *("-" if one is None else f"{one:.3f}" for one in values))
    return table


def _costs(found: ExamTable) -> Table:
    table = _heads("digest", "calls", "tokens", "money", "judging")
    for row in found.rows:
        figures = (short(row.calls), short(row.tokens), money(row.money), money(row.judging))
        table.add_row(safe(row.arm), row.digest, *figures)
    for memory in found.remembering:
        figures = (short(memory.calls), short(memory.tokens), money(memory.money), "")
        failed = f", {memory.failed:,} failed" if memory.failed else ""
        what = f"remembering ({safe(memory.memory)}{failed})"
        table.add_row(Text(what, "dim"), memory.digest, *figures)
    return table


def _beside(found: ExamTable, other: ExamTable) -> Iterator[RenderableType]:
    yield Text(f"beside {safe(other.name)} of {safe(other.log)}", style="bold")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("arm", "score", "here", "there", "difference"):
        table.add_column(head, justify="left" if head in ("arm", "score") else "right")
    there = list(moved(found, other))
    for one in there:
        means = (mean(one.here), mean(one.there), one.difference)
        table.add_row(safe(one.arm), safe(one.score), *means)
    yield table
    yield Text("difference: in standard errors (SE), units unpaired", style="dim")
    for what in dict.fromkeys(what for one in there for what in one.otherwise):
        yield Text(f"not the same: {safe(what)}", style="yellow")


def _differing(found: DifferingCells) -> Iterator[RenderableType]:
    pair = f"{safe(found.first)} and {safe(found.second)}"
    differ = counted(len(found.cells), "cell")
    yield Text(f"{pair} differ on {differ}, and are alike on {found.alike:,}", style="bold")
    for one in found.cells[:SOME]:
        asked = one.first
        where = f"{safe(asked.character)} in {safe(asked.world)} at #{asked.seq}"
        yield Text(f"{where}, {asked.unit}: {lined(asked.question)}", style="cyan")
        yield from map(_side, (one.first, one.second))
    if len(found.cells) > SOME:
        yield Text(f"... and {len(found.cells) - SOME:,} more: --json", style="dim")


def _side(cell: CellRow) -> Text:
    scores = ", ".join(f"{safe(name)} {score:.3g}" for name, score in cell.scores.items())
    said = lined(cell.answer or f"failed: {cell.failure}")
    failed = "; ".join(f"{safe(who)} gave no verdict" for who in cell.unreviewed)
    return Text.assemble((f"  {safe(cell.arm)}: ", "bold"), said, f"  {scores}{failed}")


def _written(found: Written) -> Iterator[RenderableType]:
    page = next(one for one in found.files if one.endswith(".html"))
    yield Text(f"wrote {safe(page)} and {len(found.files) - 1} files beside it")
    for what in found.missing:
        yield Text(safe(what), style="dim")
