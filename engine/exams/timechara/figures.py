"""What the paper's tables have: percent by type and over all, their standard errors, how much of its speaker is
in an answer, and how often experts were right; and how all that goes with the distance to the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import mean, stdev

from whoknew.engine.exams.by_judge import Scored, by_arm, by_judge, told_of
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


def percent(right: float, of: int) -> float:
    """Of so many, so many were right."""
    return 100 * right / of


def standard_error(right: float, of: int) -> float:
    """As the paper takes it: of a share, each cell for itself."""
    share = right / of
    return 100 * sqrt(share * (1 - share) / of)


def figures_of(cells: Sequence[CellResult]) -> OwnFigures:
    """Over all answers of the paper's types; where several judges give a score, each of them has figures."""
    found: dict[str, dict[str, float]] = {}
    for score, figures in ((RIGHT, _rights), (PERSONALITY, _marks)):
        every = by_judge(cells, score)
        for judge, some in every.items():
            for arm, mine in by_arm(some).items():
                for name, value in figures(mine):
                    found.setdefault(told_of(name, judge, every), {})[arm] = value
    for name, said in ((TEMPORAL, _temporal), (SPATIAL, _spatial)):
        for arm, mine in by_arm((one, float(right)) for one, right in said(cells)).items():
            found.setdefault(name, {})[arm] = percent(sum(right for _, right in mine), len(mine))
    return found


def _rights(mine: Sequence[Scored]) -> Iterator[tuple[str, float]]:
    """The percent of right answers by type, of all of them, and of those on the past by whether what is
    asked is so."""
    typed = [(one.cell.unit, right) for one, right in mine if one.cell.unit.kind in TYPES]
    only = [(unit, right) for unit, right in typed if unit.kind == ONLY]
    groups = {
        **{
            f"{kind} %": [right for unit, right in typed if unit.kind == kind]
            for kind in (FUTURE, ABSENCE, PRESENCE, ONLY)
        },
        AVERAGE: [right for _, right in typed],
        FACTS: [right for unit, right in only if FACT in unit.tags],
        FAKES: [right for unit, right in only if FAKE in unit.tags],
    }
    for name, some in groups.items():
        if some:
            yield name, percent(sum(some), len(some))
            if name == AVERAGE:
                yield ERROR, standard_error(sum(some), len(some))


def _marks(mine: Sequence[Scored]) -> Iterator[tuple[str, float]]:
    marks = [mark for _, mark in mine]
    yield MARK, mean(marks)
    if len(marks) > 1:
        yield MARK_ERROR, stdev(marks) / sqrt(len(marks))


def curves_of(cells: Sequence[CellResult]) -> tuple[ExamCurve, ...]:
    """How right answers are by how many points lie between event and moment, for each arm and judge: where
    there are several such distances. What shares an episode counts as one."""
    found: dict[tuple[str, str], dict[int, dict[str, list[float]]]] = {}
    for judge, some in by_judge(cells, RIGHT).items():
        for one, value in some:
            unit = one.cell.unit
            if (apart := distance_of(unit.tags)) is not None:
                places = found.setdefault((f"{judge}.{RIGHT}", one.cell.arm.name), {})
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


def _temporal(cells: Iterable[CellResult]) -> Iterator[tuple[CellResult, bool]]:
    """Whether the expert said rightly of each question that it is of the future, or is not."""
    for one in cells:
        if one.hint is not None:
            yield one, (one.hint == FUTURE) == (one.cell.unit.kind == FUTURE)


def _spatial(cells: Iterable[CellResult]) -> Iterator[tuple[CellResult, bool]]:
    """The same of who was there, where that is asked; not where it was taken for what comes later, so that
    nobody said who was there."""
    for one in cells:
        if one.hint not in (None, FUTURE) and one.cell.unit.kind in (PRESENCE, ABSENCE):
            yield one, (one.hint == "absent") == (one.cell.unit.kind == ABSENCE)
