"""What the paper's tables have: percent by type and over all, their standard errors, and how often
experts were right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.results import CellResult
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, ONLY, PRESENCE
from whoknew.engine.judges.moment import RIGHT

AVERAGE, ERROR = "average %", "average ±"
TEMPORAL, SPATIAL = "temporal expert %", "spatial expert %"


def percent(right: int, of: int) -> float:
    """Of so many, so many were right."""
    return 100 * right / of


def standard_error(right: int, of: int) -> float:
    """As the paper takes it: of a share, each cell for itself."""
    share = right / of
    return 100 * sqrt(share * (1 - share) / of)


def figures_of(cells: Sequence[CellResult]) -> OwnFigures:
    """Of each judge's product; over all answers, whatever their type."""
    found: dict[str, dict[str, float]] = {}
    for arm, mine in _by_arm(cells).items():
        for kind in (FUTURE, ABSENCE, PRESENCE, ONLY, None):
            name = f"{kind} %" if kind else AVERAGE
            some = [
                bool(score)
                for one in mine
                if kind in (None, one.cell.unit.kind)
                for key, score in one.scores.items()
                if key.endswith(f".{RIGHT}")
            ]
            if some:
                found.setdefault(name, {})[arm] = percent(sum(some), len(some))
                if kind is None:
                    found.setdefault(ERROR, {})[arm] = standard_error(sum(some), len(some))
        for name, said in ((TEMPORAL, _temporal(mine)), (SPATIAL, _spatial(mine))):
            if judged := list(said):
                found.setdefault(name, {})[arm] = percent(sum(judged), len(judged))
    return found


def _by_arm(cells: Iterable[CellResult]) -> dict[str, list[CellResult]]:
    arms: dict[str, list[CellResult]] = {}
    for one in cells:
        arms.setdefault(one.cell.arm.name, []).append(one)
    return arms


def _temporal(cells: Iterable[CellResult]) -> Iterable[bool]:
    """Whether the expert said rightly of each question that it is of the future, or is not."""
    for one in cells:
        if one.hint is not None:
            yield (one.hint == FUTURE) == (one.cell.unit.kind == FUTURE)


def _spatial(cells: Iterable[CellResult]) -> Iterable[bool]:
    """The same of who was there, where that is asked."""
    for one in cells:
        if one.hint is not None and one.cell.unit.kind in (PRESENCE, ABSENCE):
            yield (one.hint == "absent") == (one.cell.unit.kind == ABSENCE)
