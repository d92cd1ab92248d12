"""The table of an exam as files: for people a page and pictures, for programs JSON, CSV and Parquet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams import curve_chart, interval_chart, report_extras
from whoknew.engine.exams.cell_rows import CellRow, DifferingCells, differing_cells
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.figures import ArmFigures, Estimate
from whoknew.engine.exams.files import csv_of, write_files
from whoknew.engine.exams.interval_chart import IntervalChart, IntervalLine, IntervalPanel
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.labels import labelled, with_labels
from whoknew.engine.exams.material import asked_of, reading_material
from whoknew.engine.exams.page_parts import NOTHING_SHOWN, MaterialShown
from whoknew.engine.exams.plots import as_bytes, set_up
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.report_page import report_page
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.stories_page import stories_shown
from whoknew.engine.exams.table import ExamTable

NAMES = ("figures.png", "cells.parquet", "figures.parquet", *report_extras.NAMES)
"""What is not always written: some of it only where something more is installed."""

Row = tuple[Any, ...]


class Written(Struct, frozen=True):
    """The files of a report; and what could not be written, with what it would need."""

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()


class CsvTable(Struct, frozen=True):
    """Named columns, and rows of them."""

    heads: tuple[str, ...]
    rows: list[Row]


class ReportWanted(Struct, frozen=True, kw_only=True):
    """What beside its table a command wants of an exam: files in a folder, whose links lead to a
    viewer; an earlier table beside it; the cells on which two arms differ; labels that people gave; what
    others published of its scores."""

    out: Path | None = None
    viewer: str = ""
    other: ExamTable | None = None
    differ: tuple[str, str] | None = None
    labels: Path | None = None
    paper: bool = False


class ExamReported(Struct, frozen=True, kw_only=True):
    """The table of an exam, and what else was wanted."""

    table: ExamTable
    other: ExamTable | None = None
    differing: DifferingCells | None = None
    written: Written | None = None


async def reported(exam: LoadedExam, options: ExamOptions, wanted: ReportWanted) -> ExamReported:
    """Report on an exam, as far as it has come. Nothing is asked."""
    held = await labelled(exam, wanted.labels) if wanted.labels else None
    found = await tabled(exam, options)
    table, cells = found.table, found.cells
    if held:
        table = with_labels(found, held, exam.judges)
    if wanted.paper:
        published = {name: dict(scores) for name, scores in exam.kind.published.items()}
        table = replace(table, published=published)
    written = None
    if wanted.out is not None:
        of_material = await _shown(exam, options, wanted.viewer)
        stories = await stories_shown(exam, cells, wanted.viewer)
        of_material = replace(of_material, parts=(*of_material.parts, *stories))
        parts = (table, cells, wanted.out, wanted.viewer, wanted.other, of_material)
        written = await asyncio.to_thread(write_report, *parts)
    return ExamReported(
        table=table,
        other=wanted.other,
        differing=differing_cells(cells, *wanted.differ) if wanted.differ else None,
        written=written,
    )


def write_report(
    table: ExamTable,
    cells: Sequence[CellRow],
    folder: Path,
    viewer: str,
    other: ExamTable | None = None,
    of_material: MaterialShown = NOTHING_SHOWN,
) -> Written:
    """Write all of it into a folder. To be called on a thread: it may take seconds."""
    chart = chart_of(table)
    drawing = interval_chart.svg(chart)
    extras = dict(
        report_extras.extras(table, viewer, dict(zip(ORIGIN, _origin(table), strict=True)))
    )
    drawings = [drawing, *(extras[name] for name in ("curves.svg",) if name in extras)]
    by_cell, by_figure = cells_table(table, cells), figures_table(table)
    files = {
        "report.json": msgspec.json.format(msgspec.json.encode(table), indent=1),
        "cells.jsonl": b"".join(msgspec.json.encode(row) + b"\n" for row in cells),
        "cells.csv": csv_of(by_cell.heads, by_cell.rows),
        "figures.csv": csv_of(by_figure.heads, by_figure.rows),
        "comparisons.csv": csv_of(*_comparisons(table)),
        "arms.csv": csv_of(*_arms(table)),
        **extras,
        "figures.svg": drawing,
        "report.html": report_page(table, cells, viewer, drawings, other, of_material).encode(),
    }
    missing: list[str] = []
    if find_spec("matplotlib"):
        set_up()
        files["figures.png"] = as_bytes(interval_chart.png(chart), "png")
        if table.curves:
            files["curves.png"] = as_bytes(curve_chart.png(table.curves), "png")
    else:
        missing.append("figures.png needs matplotlib: pip install 'whoknew[plots]'")
    if find_spec("pyarrow"):
        files["cells.parquet"] = _parquet(by_cell)
        files["figures.parquet"] = _parquet(by_figure)
    else:
        missing.append("Parquet needs pyarrow: pip install 'whoknew[export]'")
    return Written(write_files(folder, files, NAMES), tuple(missing))


async def _shown(exam: LoadedExam, options: ExamOptions, viewer: str) -> MaterialShown:
    """What its kind shows of its material."""
    if not isinstance(exam.kind, QuestionKind):
        return NOTHING_SHOWN
    async with reading_material(exam) as material:
        asked = await asked_of(exam, material, options.limit)
        return await exam.kind.shown(material, asked.units, viewer)


def chart_of(table: ExamTable) -> IntervalChart:
    panels = tuple(
        IntervalPanel(score, tuple(_line(one.arm, one.micro) for one in arms), _ends(arms))
        for score, arms in table.figures.items()
        if score in (table.main or table.figures)
    )
    note = f"mean and 95 % interval, clustered by what units share; seed {table.seed}, whoknew {table.version}"
    return IntervalChart(table.name, note, panels, table.warning)


def _ends(arms: Sequence[ArmFigures]) -> tuple[float, float] | None:
    return arms[0].micro.scale if arms else None


def _line(arm: str, one: Estimate) -> IntervalLine:
    low, high = one.interval or (None, None)
    return IntervalLine(name=arm, mean=one.mean, low=low, high=high, number=one.number)


# what stands in every table

ORIGIN = ("warning", "exam", "seed", "version")


def _origin(table: ExamTable) -> Row:
    return table.warning, table.name, table.seed, table.version


CELL = (
    *("key", "unit", "repeat", "kind", "tags", "cluster", "world", "character", "seq", "hash"),
    *("question", "reference", "answer", "failure", "calls", "tokens", "money", "judging"),
)


def cells_table(table: ExamTable, cells: Sequence[CellRow]) -> CsvTable:
    """One row a cell."""
    origin = _origin(table)
    digests = {arm.name: arm.digest for arm in table.arms}
    scores = list(table.figures)
    heads = (*ORIGIN, "arm", "arm digest", *CELL, *scores)
    for judge in table.judges:
        heads += (f"{judge.name} digest", f"{judge.name} reason", f"{judge.name} failure")
    return CsvTable(
        heads,
        [
            (
                *(*origin, cell.arm, digests[cell.arm]),
                *(_flat(getattr(cell, name)) for name in CELL),
                *map(cell.scores.get, scores),
                *(part for judge in table.judges for part in _verdict(cell, judge)),
            )
            for cell in cells
        ],
    )


def _flat(value: object) -> object:
    return ", ".join(value) if isinstance(value, tuple) else value


def _verdict(cell: CellRow, judge: Any) -> Row:
    return judge.digest, cell.reasons.get(judge.name), cell.unreviewed.get(judge.name)


FIGURE = (
    *("score", "judge digest", "arm", "arm digest", "over", "mean", "low", "high", "error"),
    *("deviation", "number", "clusters", "failures"),
)


def figures_table(table: ExamTable) -> CsvTable:
    """One row a figure: of each score and arm over all cells (micro), over the means of the kinds
    (macro), and of each kind and tag. Of scenes, of each who plays as well; and what the kind of exam
    counts beyond that (own)."""
    digests = {arm.name: arm.digest for arm in table.arms}
    rows = [
        *_figures(table, table.figures, digests),
        *_figures(table, table.players, dict.fromkeys(_players(table), "player")),
        *_own(table, digests),
    ]
    return CsvTable((*ORIGIN, *FIGURE), rows)


def _own(table: ExamTable, digests: Mapping[str, str]) -> Iterator[Row]:
    none = (None,) * (len(FIGURE) - 6)
    for name, arms in table.own.items():
        for arm, value in arms.items():
            yield (*_origin(table), name, "", arm, digests.get(arm, ""), "own", value, *none)


def _players(table: ExamTable) -> Iterator[str]:
    yield from (one.arm for players in table.players.values() for one in players)


def _figures(
    table: ExamTable,
    figures: Mapping[str, Sequence[ArmFigures]],
    digests: Mapping[str, str],
) -> Iterator[Row]:
    origin = _origin(table)
    judges = {judge.name: judge.digest for judge in table.judges}
    for score, arms in figures.items():
        judge = judges.get(score.partition(".")[0], "")
        for arm in arms:
            for over, one in _estimates(arm):
                low, high = one.interval or (None, None)
                yield (
                    *(*origin, score, judge, arm.arm, digests[arm.arm], over),
                    *(one.mean, low, high, one.error, one.deviation),
                    *(one.number, one.clusters, one.failures),
                )


def _estimates(arm: ArmFigures) -> Iterator[tuple[str, Estimate]]:
    yield "micro", arm.micro
    yield "macro", arm.macro
    yield from ((f"kind {kind}", one) for kind, one in arm.kinds.items())
    yield from ((f"tag {name}", one) for name, one in arm.tags.items())


PAIR = (
    *("first", "second", "cells", "clusters", "comparisons", "difference", "error", "low", "high"),
    *("p", "holm", "more"),
)


def _comparisons(table: ExamTable) -> tuple[tuple[str, ...], list[Row]]:
    """One row a pair of arms and a score."""
    rows: list[Row] = [
        (*_origin(table), score, *(getattr(pair, name) for name in PAIR), pair.tells)
        for score, pairs in (*table.comparisons.items(), *table.player_comparisons.items())
        for pair in pairs
    ]
    return (*ORIGIN, "score", *PAIR, "tells"), rows


ARM = (
    *("arm", "digest", "cells", "answered", "failed", "unreviewed", "calls", "tokens", "money"),
    "judging",
)


def _arms(table: ExamTable) -> tuple[tuple[str, ...], list[Row]]:
    """One row an arm: how far it is, and what it took."""
    rows: list[Row] = [
        (*_origin(table), *(getattr(row, name) for name in ARM)) for row in table.rows
    ]
    return (*ORIGIN, *ARM), rows


def _parquet(table: CsvTable) -> bytes:
    """The same with types, compressed."""
    import pyarrow
    from pyarrow import parquet

    columns = zip(*table.rows, strict=True) if table.rows else ([] for _ in table.heads)
    made = pyarrow.table(
        {head: list(values) for head, values in zip(table.heads, columns, strict=True)}
    )
    file = BytesIO()
    parquet.write_table(made, file)
    return file.getvalue()
