"""A report as files: JSON and CSV for programs, curves and a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.files import csv_of, write_files
from whoknew.engine.exams.lifelong.page import page
from whoknew.engine.exams.lifelong.plots import Drawing
from whoknew.engine.exams.lifelong.report import PARTS, ExamReport
from whoknew.engine.exams.lifelong.tally import METRICS
from whoknew.engine.exams.plots import as_bytes


def write(
    report: ExamReport,
    folder: Path,
    viewer: str,
    *,
    other: ExamReport | None = None,
    paper: bool = False,
    agreements: Sequence[Agreement] = (),
) -> tuple[str, ...]:
    """Write all of it into a folder, which is made where there is none; the names of the files."""
    drawing = Drawing(report, viewer)
    figures = {
        "curves": drawing.curves(),
        "hard": drawing.hard(),
        "exact": drawing.exact(),
        "secrets": drawing.secrets(),
    }
    drawn = {name: as_bytes(one, "svg") for name, one in figures.items() if one is not None}
    files: dict[str, bytes] = {
        "report.json": msgspec.json.format(msgspec.json.encode(report), indent=1),
        "table.csv": _table(report),
        "curves.csv": _curves(report),
        "secrets.csv": _secrets(report),
        **{f"{name}.svg": text for name, text in drawn.items()},
        **{f"{name}.png": as_bytes(one, "png") for name, one in figures.items() if one is not None},
        "report.html": page(
            report,
            viewer,
            {TITLES[name]: text for name, text in drawn.items()},
            other=other,
            paper=paper,
            agreements=agreements,
        ).encode(),
    }
    return write_files(folder, files)


TITLES = {
    "curves": "Scores over episodes",
    "hard": "Arms on the hard episodes",
    "exact": "What needs no judge",
    "secrets": "Secrets over time",
}


def _table(report: ExamReport) -> bytes:
    heads = ["arm", "model", "memory", "part", "metric", "mean", "deviation", "lives", "values"]
    return csv_of(
        heads,
        (
            [
                row.arm,
                row.model,
                row.memory,
                part,
                metric,
                one.mean,
                one.deviation,
                one.lives,
                one.values,
            ]
            for row in report.rows
            for part in PARTS
            for metric in METRICS
            if (one := row.figures[part][metric]).values
        ),
    )


def _curves(report: ExamReport) -> bytes:
    heads = ["arm", "metric", "episode", "hard", "mean", "deviation", "lives", "values"]
    return csv_of(
        heads,
        (
            [
                curve.arm,
                curve.metric,
                point.episode,
                int(point.hard),
                one.mean,
                one.deviation,
                one.lives,
                one.values,
            ]
            for curve in report.curves
            for point in curve.points
            for one in (point.figure,)
        ),
    )


def _secrets(report: ExamReport) -> bytes:
    heads = ["arm", "world", "what", "owner", "to", "episode", "seq", "by", "fact"]
    return csv_of(
        heads,
        (
            [
                one.arm,
                one.world,
                one.what,
                one.owner,
                one.to,
                one.episode,
                one.seq,
                one.by,
                one.fact,
            ]
            for one in report.secrets
        ),
    )
