"""What a kind of exam finds beside the scores of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from whoknew.engine.exams.curves import ExamCurve
from whoknew.eventlog import Event

if TYPE_CHECKING:
    from whoknew.engine.exams.arms import ExamArm
    from whoknew.engine.exams.cell_result import CellResult

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
    """Figures, curves, and by their names (those of files) tables; `remarks` say how to read them."""

    figures: OwnFigures = {}
    curves: tuple[ExamCurve, ...] = ()
    tables: dict[str, FoundTable] = {}
    remarks: tuple[str, ...] = ()


class StepsFold(Protocol):
    """What a kind of exam finds in the steps of memories, as the log of the exam is read."""

    def take(self, memory: str, event: Event) -> None:
        """An event of a step of a memory, which is known by its digest."""
        ...

    def called(self, arm: str, event: Event) -> None:
        """A call by which an arm, which is known by its digest, was asked."""
        ...

    def findings(self, arms: Sequence[ExamArm], cells: Sequence[CellResult]) -> Findings: ...
