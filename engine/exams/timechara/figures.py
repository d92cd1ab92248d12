"""What the paper's tables have: percent by type and over all, their standard errors, how much of its speaker is
in an answer, and how often experts were right; and how all that goes with the distance to the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import mean, stdev

from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.curves import CurvePoint, ExamCurve
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, ONLY, PRESENCE, TYPES
from whoknew.engine.exams.timechara.points import distance_of
from whoknew.engine.exams.timechara.worded_questions import FACT, FAKE
from whoknew.engine.judges.moment import RIGHT
from whoknew.engine.judges.personality import PERSONALITY

AVERAGE, ERROR = "average %", "average ±"
FACTS, FAKES = "past-only, fact %", "past-only, fake %"
MARK, MARK_ERROR = "personality", "personality ±"
TEMPORAL, SPATIAL = "temporal expert %", "spatial expert %"

DISTANCE = "points from event to moment (below 0: yet to come)"
"""What a curve goes along."""


def percent(right: int, of: int) -> float:
    """Of so many, so many were right."""
    return 100 * right / of


def standard_error(right: int, of: int) -> float:
    """As the paper takes it: of a share, each cell for itself."""
    share = right / of
    return 100 * sqrt(share * (1 - share) / of)


def figures_of(cells: Sequence[CellResult]) -> OwnFigures:
    """Of each judge's product; over all answers of the paper's types, whatever that is."""
    found: dict[str, dict[str, float]] = {}
    for arm, mine in _by_arm(cells).items():
        for name, value in _of_arm(mine):
            found.setdefault(name, {})[arm] = value
    return found


def _of_arm(mine: Sequence[CellResult]) -> Iterator[tuple[str, float]]:
    for name, some in _groups(mine).items():
        if right := [bool(score) for one in some for score in _scores(one, RIGHT).values()]:
            yield name, percent(sum(right), len(right))
            if name == AVERAGE:
                yield ERROR, standard_error(sum(right), len(right))
    if marks := [mark for one in mine for mark in _scores(one, PERSONALITY).values()]:
        yield MARK, mean(marks)
        if len(marks) > 1:
            yield MARK_ERROR, stdev(marks) / sqrt(len(marks))
    for name, said in ((TEMPORAL, _temporal(mine)), (SPATIAL, _spatial(mine))):
        if judged := list(said):
            yield name, percent(sum(judged), len(judged))


def _groups(mine: Sequence[CellResult]) -> Mapping[str, Sequence[CellResult]]:
    """Its answers by type, all of them, and those on the past by whether what is asked is so."""
    typed = [one for one in mine if one.cell.unit.kind in TYPES]
    only = [one for one in typed if one.cell.unit.kind == ONLY]
    return {
        **{
            f"{kind} %": [one for one in typed if one.cell.unit.kind == kind]
            for kind in (FUTURE, ABSENCE, PRESENCE, ONLY)
        },
        AVERAGE: typed,
        FACTS: [one for one in only if FACT in one.cell.unit.tags],
        FAKES: [one for one in only if FAKE in one.cell.unit.tags],
    }


def _scores(one: CellResult, name: str) -> dict[str, float]:
    """What each judge gave under a name."""
    return {key: score for key, score in one.scores.items() if key.endswith(f".{name}")}


def curves_of(cells: Sequence[CellResult]) -> tuple[ExamCurve, ...]:
    """How right answers are by how many points lie between event and moment, for each arm and judge: where
    there are several such distances. What shares an episode counts as one."""
    found: dict[tuple[str, str], dict[int, dict[str, list[float]]]] = {}
    for one in cells:
        unit = one.cell.unit
        if (apart := distance_of(unit.tags)) is not None:
            for score, value in _scores(one, RIGHT).items():
                places = found.setdefault((score, one.cell.arm.name), {})
                places.setdefault(apart, {}).setdefault(unit.cluster, []).append(value)
    return tuple(
        ExamCurve(f"{score}, by distance", arm, _points(places), DISTANCE)
        for (score, arm), places in found.items()
        if len(places) > 1
    )


def _points(places: Mapping[int, Mapping[str, Sequence[float]]]) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(place, mean_of_means(values.values()))
        for place, values in sorted(places.items())
    )


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
