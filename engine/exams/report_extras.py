"""What some reports have beside figures, as files: curves, what a kind of exam found, labels of people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from whoknew.engine.exams import curve_chart
from whoknew.engine.exams.files import csv_of
from whoknew.engine.exams.table import ExamTable

NAMES = ("curves.csv", "curves.svg", "curves.png", "labels.csv")
"""What only some have."""


def extras(
    table: ExamTable, viewer: str, origin: Mapping[str, object]
) -> Iterator[tuple[str, bytes]]:
    """Each file with its name. `origin` stands in every row: of which exam it is."""
    heads, own = tuple(origin), tuple(origin.values())
    for name, found in table.found.items():
        rows = [(*own, one.arm, one.world, one.seq, *one.words) for one in found.rows]
        yield f"{_file(name)}.csv", csv_of((*heads, "arm", "world", "seq", *found.heads), rows)
    if table.curves:
        yield "curves.csv", csv_of((*heads, *CURVE), [(*own, *row) for row in _curves(table)])
        yield "curves.svg", curve_chart.svg(table.curves, viewer)
    if table.agreements:
        judged = [(*own, *(getattr(one, name) for name in LABEL)) for one in table.agreements]
        yield "labels.csv", csv_of((*heads, *LABEL), judged)


CURVE = (
    "score",
    "arm",
    "episode",
    "part",
    "mean",
    "error",
    "deviation",
    "number",
    "clusters",
    "axis",
)
LABEL = (
    "judge",
    "score",
    "labels",
    "found",
    "wanted",
    "right",
    "precision",
    "recall",
    "f1",
    "kappa",
)


def _curves(table: ExamTable) -> Iterator[tuple[object, ...]]:
    for curve in table.curves:
        for point in curve.points:
            one = point.figure
            place = (curve.score, curve.arm, point.episode, point.part)
            estimated = (one.mean, one.error, one.deviation, one.number, one.clusters)
            yield *place, *estimated, curve.axis


def _file(name: str) -> str:
    """The name of a table as that of a file: it may come from anybody."""
    return re.sub(r"[^\w-]", "-", name)[:60]
