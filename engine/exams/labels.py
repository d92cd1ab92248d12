"""Labels that people gave, held against what judges gave: of answers, or of what was done in episodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from whoknew.engine.exams import agreement
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.scenes import labels as of_episodes
from whoknew.engine.exams.table import ExamTable, TabledCells

Held = Callable[[Sequence[CellRow], Sequence[ExamJudge]], tuple[tuple[Agreement, ...], int]]
"""What judges gave some cells beside the labels; and how many labels are of what none has a score for."""


async def labelled(exam: LoadedExam, path: Path) -> Held:
    """The labels of a file: so that what is wrong with it is told before anything else is done."""
    if isinstance(exam.kind, SceneKind):
        return partial(of_episodes.agreements, await of_episodes.labels_of(path))
    return partial(agreement.agreements, path, await agreement.labels_of(path))


def with_labels(found: TabledCells, held: Held, judges: Sequence[ExamJudge]) -> ExamTable:
    """The table with what people say of its judges."""
    agreements, unmet = held(found.cells, judges)
    return replace(found.table, agreements=agreements, unmet=unmet)
