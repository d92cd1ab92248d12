"""Figures of an exam, from the scores of its cells: means, how sure they are, and what failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, nan, pi, sqrt, tan
from statistics import NormalDist, mean, stdev
from typing import Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

Scale = tuple[float, float] | None

SCORED, FAILED = 1, 2
"""What a cell of a table came to, where anything did."""


class ScoredCell(Struct, frozen=True, kw_only=True):
    """What one cell came to: a score, or none where it failed. `cluster` is what its unit shares with
    others."""

    unit: str
    cluster: str
    kind: str
    arm: str
    tags: tuple[str, ...] = ()
    repeat: int = 1
    score: float | None


class Estimate(Struct, frozen=True, kw_only=True):
    """A mean over `number` cells that have a score, the sample deviation of what it is the mean of, and
    its standard error, which counts cells of one cluster as what they are: not independent. No mean
    where nothing has a score, no error where all is of one cluster. The cells that failed count for
    nothing but themselves."""

    mean: float | None
    deviation: float | None
    error: float | None
    number: int
    clusters: int
    failures: int = 0
    scale: Scale = None
    """The least and the most that a score can be, where that is known."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """From where to where the mean may lie, in 95 of 100 cases: nowhere off the scale."""
        if self.mean is None or self.error is None:
            return None
        reach = student(self.clusters) * self.error
        low, high = self.mean - reach, self.mean + reach
        if self.scale is None:
            return low, high
        least, most = self.scale
        return max(least, low), min(most, high)


class ArmFigures(Struct, frozen=True, kw_only=True):
    """One arm: over all cells (`micro`), over the means of the kinds (`macro`), and by kind and tag."""

    arm: str
    micro: Estimate
    macro: Estimate
    kinds: dict[str, Estimate]
    tags: dict[str, Estimate]


class ScoreTable:
    """All cells as arrays: a row for each unit and repeat, in the order of their names, a column for
    each arm, in the order of their coming."""

    def __init__(
        self,
        *,
        arms: tuple[str, ...],
        clusters: Places,
        kinds: Mapping[str, Places],
        tags: Mapping[str, Places],
        scores: Floats,
        failed: NDArray[np.bool_],
        scale: Scale = None,
    ) -> None:
        self.arms, self.clusters, self.scale = arms, clusters, scale
        self.scores, self.failed = scores, failed
        """NaN where there is no score, whether it failed or nobody was there."""
        self._kinds, self._tags = kinds, tags

    @classmethod
    def of(cls, cells: Iterable[ScoredCell], scale: Scale = None) -> Self:
        """The table of cells, in whatever order they come. Where a score is off the `scale`, that is none
        of theirs."""
        every = list(cells)
        keys = [(cell.unit, cell.repeat) for cell in every]
        rows = {key: place for place, key in enumerate(sorted(set(keys)))}
        arms = {arm: place for place, arm in enumerate(dict.fromkeys(c.arm for c in every))}
        units: list[ScoredCell | None] = [None] * len(rows)
        scores, states = [nan] * (len(rows) * len(arms)), bytearray(len(rows) * len(arms))
        for cell, key in zip(every, keys, strict=True):
            row = rows[key]
            place = row * len(arms) + arms[cell.arm]
            if states[place]:
                raise ValueError(f"{cell.unit} has repeat {cell.repeat} of {cell.arm!r} twice")
            if cell.score is None:
                states[place] = FAILED
            elif isfinite(cell.score):
                states[place], scores[place] = SCORED, cell.score
            else:
                raise ValueError(f"{cell.unit} of {cell.arm!r} has the score {cell.score}")
            units[row] = cell
        shape = len(rows), len(arms)
        known = [one for one in units if one is not None]
        return cls(
            arms=tuple(arms),
            clusters=_codes([one.cluster for one in known]),
            kinds=_rows_of([one.kind] for one in known),
            tags=_rows_of(one.tags for one in known),
            scores=np.array(scores).reshape(shape),
            failed=(np.frombuffer(states, np.uint8) == FAILED).reshape(shape),
            scale=scale if all(_is_on(scale, one.score) for one in every) else None,
        )

    def figures(self) -> tuple[ArmFigures, ...]:
        """What each arm came to."""
        return tuple(self._arm(column) for column in range(len(self.arms)))

    def _arm(self, column: int) -> ArmFigures:
        every = np.arange(len(self.clusters), dtype=np.intp)
        return ArmFigures(
            arm=self.arms[column],
            micro=self._estimate(column, [every]),
            macro=self._estimate(column, list(self._kinds.values())),
            kinds={kind: self._estimate(column, [some]) for kind, some in self._kinds.items()},
            tags={tag: self._estimate(column, [some]) for tag, some in self._tags.items()},
        )

    def _estimate(self, column: int, groups: Sequence[Places]) -> Estimate:
        """The mean of the means of groups of rows: of those in which anything has a score."""
        scores = self.scores[:, column]
        scored = [some[~np.isnan(scores[some])] for some in groups]
        held = [some for some in scored if len(some)]
        failures = sum(int(self.failed[some, column].sum()) for some in groups)
        if not held:
            return Estimate(
                mean=None,
                deviation=None,
                error=None,
                number=0,
                clusters=0,
                failures=failures,
                scale=self.scale,
            )
        means = [float(scores[some].mean()) for some in held]
        shares = [
            (scores[some] - mean) / (len(some) * len(held))
            for some, mean in zip(held, means, strict=True)
        ]
        rows = np.concatenate(held)
        return Estimate(
            mean=float(np.mean(means)),
            deviation=_deviation(scores[rows] if len(groups) == 1 else np.array(means)),
            error=clustered_error(np.concatenate(shares), self.clusters[rows]),
            number=len(rows),
            clusters=_distinct(self.clusters[rows]),
            failures=failures,
            scale=self.scale,
        )


def _is_on(scale: Scale, score: float | None) -> bool:
    return score is None or scale is None or scale[0] <= score <= scale[1]


def clustered_error(shares: Floats, clusters: Places) -> float | None:
    """The standard error of a mean, from what each value adds to its deviation: what those of one
    cluster add is added up first. None of one cluster alone. Where each value is a cluster of its own,
    that is the usual standard error."""
    count = _distinct(clusters)
    if count < 2:
        return None
    sums = np.bincount(clusters, shares)
    return float(np.sqrt(count / (count - 1) * (sums @ sums)))


def mean_shown(one: Estimate | None) -> str:
    """A mean and its standard error, as tables show them; a dash where there is none."""
    if one is None or one.mean is None:
        return "-"
    digits = 3 if abs(one.mean) < WIDE else 2
    mean = f"{one.mean:.{digits}f}"
    return mean if one.error is None else f"{mean} ±{one.error:.{digits}f}"


WIDE = 9.9995
"""From here on a mean has two digits before its point, and so many less behind it: it is as wide."""


def student(clusters: int) -> float:
    """How many standard errors hold 95 of 100 to either side, where the error is known from so many
    clusters: the t distribution, which is wider than the normal one. Of two and of three clusters exactly,
    of more by its expansion, which is not yet good there."""
    z, v = NormalDist().inv_cdf(0.975), clusters - 1
    if v == 1:
        return tan(0.95 * pi / 2)
    if v == 2:
        return 0.95 * sqrt(2 / (1 - 0.95**2))
    t = z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return t + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)


def mean_of_means(clusters: Iterable[Sequence[float]]) -> Estimate:
    """The mean over clusters of a cluster's own mean, each of which counts the same."""
    held = [one for one in clusters if one]
    means = [mean(one) for one in held]
    deviation = stdev(means) if len(means) > 1 else None
    return Estimate(
        mean=mean(means) if means else None,
        deviation=deviation,
        error=None if deviation is None else deviation / len(means) ** 0.5,
        number=sum(map(len, held)),
        clusters=len(held),
    )


def _codes(names: Sequence[str]) -> Places:
    """Names as numbers, in the order of the names: so that no result hangs on the order of rows."""
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.fromiter((numbers[name] for name in names), dtype=np.intp, count=len(names))


def _rows_of(names: Iterable[Iterable[str]]) -> dict[str, Places]:
    """The rows under each name, of which a row can have several."""
    rows: dict[str, list[int]] = {}
    for row, some in enumerate(names):
        for name in some:
            rows.setdefault(name, []).append(row)
    return {name: np.array(rows[name], dtype=np.intp) for name in sorted(rows)}


def _distinct(clusters: Places) -> int:
    return int(np.count_nonzero(np.bincount(clusters)))


def _deviation(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None
