"""What a kind of exam finds beside the scores of its cells."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from whoknew.engine.exams.curves import ExamCurve

OwnFigures = Mapping[str, Mapping[str, float]]
"""Figures by name, each with its value for every arm."""


class FoundRow(Struct, frozen=True):
    """Something that was found in a world, at a seq: `words` stand under the heads of its table."""

    arm: str
    world: str
    seq: int
    words: tuple[str, ...]


class FoundTable(Struct, frozen=True):
    """All of one sort."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[FoundRow, ...]


class Findings(Struct, frozen=True, kw_only=True):
    """Figures, curves, and by their names (those of files) tables."""

    figures: OwnFigures = {}
    curves: tuple[ExamCurve, ...] = ()
    tables: dict[str, FoundTable] = {}
