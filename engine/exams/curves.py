"""Curves of an exam: what a score came to in each episode, of the scenes that it plays, or at the end of
which it asks; or along another axis that its kind has."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.figures import Estimate, Scale, mean_of_means
from whoknew.eventlog.cursor import AtEpisode, parse

if TYPE_CHECKING:
    from whoknew.engine.exams.cell_result import CellResult

EPISODE = "episode"

Moment = tuple[str, int]
"""A world, and a seq in it."""


class CurvePoint(Struct, frozen=True):
    """What a score came to in an episode: the mean over what is independent (a life, a scenario), of
    which each counts the same. `part` is that of the episode; `behind` is where it closed in each
    world that the point is made of."""

    episode: int
    figure: Estimate
    part: str = ""
    behind: tuple[Moment, ...] = ()


class ExamCurve(Struct, frozen=True):
    """One score of one arm, over its episodes; or, where another `axis` is named, over that: then the
    `episode` of a point is its place there."""

    score: str
    arm: str
    points: tuple[CurvePoint, ...]
    axis: str = EPISODE
    scale: Scale = None
    """The least and the most that the score can be, where that is known."""

    @property
    def measured(self) -> str:
        """The score of which it is: of some questions, or of all."""
        return self.score.partition(", ")[0]


class _Gathered(Struct):
    """The values of a point, by cluster."""

    values: dict[str, list[float]] = field(default_factory=dict)
    behind: dict[Moment, None] = field(default_factory=dict)
    part: str = ""


def curves(cells: Iterable[CellResult], parts: Container[str] = ()) -> tuple[ExamCurve, ...]:
    """Where there are several episodes, a curve for each arm and each score; where the kind of exam
    has `parts`, of the scores that it makes itself, one over all parts; of questions that are put at the
    ends of episodes one for each kind, too, if there are several."""
    found: dict[tuple[str, str], dict[int, _Gathered]] = {}
    every = list(cells)
    kinds = {cell.cell.unit.kind for cell in every if cell.scores}
    for cell in every:
        if cell.failure is None:
            for score, number, part, value, moment in _values(cell, parts, several=len(kinds) > 1):
                points = found.setdefault((score, cell.cell.arm.name), {})
                point = points.setdefault(number, _Gathered(part=part))
                point.values.setdefault(cell.cell.unit.cluster, []).append(value)
                point.behind[moment] = None
    if all(number <= 1 for points in found.values() for number in points):
        return ()
    return tuple(
        ExamCurve(score, arm, tuple(_points(points))) for (score, arm), points in found.items()
    )


def scores_of(every: Sequence[ExamCurve]) -> tuple[str, ...]:
    """The scores of which there are curves."""
    return tuple(dict.fromkeys(one.score for one in every))


def _values(
    cell: CellResult, parts: Container[str], *, several: bool
) -> Iterator[tuple[str, int, str, float, Moment]]:
    if isinstance(cell.cell, Cell):
        yield from _asked(cell.cell, cell.scores, several=several)
    for episode in cell.episodes:
        moment = (cell.cell.subject.world, episode.cursor)
        for scores in episode.scores.values():
            for name, value in scores.items():
                part, _, score = name.partition(".")
                if part in parts:
                    yield score, episode.number, part, value, moment
                elif not parts:
                    yield name, episode.number, "", value, moment


def _asked(
    cell: Cell, scores: Mapping[str, float], *, several: bool
) -> Iterator[tuple[str, int, str, float, Moment]]:
    one = cell.unit.asked.question
    when = parse(one.at)
    if isinstance(when, AtEpisode) and when.turn is None:
        for name, value in scores.items():
            for score in (name, f"{name}, {one.kind}") if several else (name,):
                yield score, when.episode, "", value, (one.world, cell.unit.seq)


def _points(points: dict[int, _Gathered]) -> Iterator[CurvePoint]:
    for number, one in sorted(points.items()):
        figure = mean_of_means(one.values.values())
        yield CurvePoint(number, figure, one.part, tuple(one.behind))
