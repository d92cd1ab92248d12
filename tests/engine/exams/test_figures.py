"""Means, how sure they are, and what failed: by hand, and beside scipy on the same numbers."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whoknew.engine.exams.figures import Estimate, ScoredCell, ScoreTable, mean_of_means, student


def cell(unit: str, score: float | None, **given: Any) -> ScoredCell:
    return ScoredCell(
        **{"unit": unit, "cluster": unit, "kind": "fact", "arm": "a", "score": score, **given}
    )


def test_of_independent_cells_it_is_the_usual_standard_error() -> None:
    scores = np.random.default_rng(1).random(50)
    [one] = ScoreTable.of(cell(f"u{n}", s) for n, s in enumerate(scores)).figures()
    assert one.micro.mean == pytest.approx(scores.mean())
    assert one.micro.error == pytest.approx(stats.sem(scores))
    assert one.micro.deviation == pytest.approx(stats.tstd(scores))
    assert (one.micro.number, one.micro.clusters, one.micro.failures) == (50, 50, 0)


def test_cells_that_share_a_cluster_are_no_further_proof() -> None:
    """Of clusters of one size the error is that of their means, however often each is asked."""
    chance = np.random.default_rng(2)
    means = chance.random(8)
    cells = [cell(f"u{g}.{n}", m, cluster=f"c{g}") for g, m in enumerate(means) for n in range(25)]
    [one] = ScoreTable.of(cells).figures()
    assert one.micro.error == pytest.approx(stats.sem(means))
    assert (one.micro.number, one.micro.clusters) == (200, 8)


def test_of_one_cluster_nobody_can_say_how_sure_it_is() -> None:
    [one] = ScoreTable.of([cell("u", 1, cluster="c"), cell("v", 0, cluster="c")]).figures()
    assert (one.micro.mean, one.micro.error) == (0.5, None)


def test_a_failure_is_counted_apart_and_is_no_zero() -> None:
    """Law 7."""
    [one] = ScoreTable.of([cell("u", 1), cell("v", None), cell("w", 1)]).figures()
    assert (one.micro.mean, one.micro.number, one.micro.failures) == (1, 2, 1)
    [none] = ScoreTable.of([cell("u", None)]).figures()
    nothing = Estimate(mean=None, deviation=None, error=None, number=0, clusters=0, failures=1)
    assert none.micro == none.macro == none.kinds["fact"] == nothing


def test_micro_is_over_cells_and_macro_over_kinds() -> None:
    cells = [cell(f"u{n}", 1) for n in range(9)] + [cell("v", 0, kind="relation", tags=("x",))]
    [one] = ScoreTable.of(cells).figures()
    assert (one.micro.mean, one.macro.mean) == (0.9, 0.5)
    assert {kind: found.mean for kind, found in one.kinds.items()} == {"fact": 1, "relation": 0}
    assert {tag: (found.mean, found.number) for tag, found in one.tags.items()} == {"x": (0, 1)}


def test_the_error_of_a_macro_mean_is_that_of_its_parts() -> None:
    chance = np.random.default_rng(3)
    one, other = chance.random(40), chance.random(200)
    cells = [cell(f"u{n}", s) for n, s in enumerate(one)]
    cells += [cell(f"v{n}", s, kind="relation") for n, s in enumerate(other)]
    [found] = ScoreTable.of(cells).figures()
    parts = (stats.sem(one) ** 2 + stats.sem(other) ** 2) ** 0.5 / 2
    assert found.macro.error == pytest.approx(parts, rel=0.02)


def test_repeats_are_cells_of_the_same_cluster() -> None:
    cells = [cell(f"u{n}", n % 2, repeat=r) for n in range(10) for r in (1, 2, 3)]
    [one] = ScoreTable.of(cells).figures()
    assert (one.micro.number, one.micro.clusters) == (30, 10)
    assert one.micro.error == pytest.approx(stats.sem([n % 2 for n in range(10)]))


def test_what_stands_there_twice_or_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="u has repeat 1 of 'a' twice"):
        ScoreTable.of([cell("u", None), cell("u", 1)])
    with pytest.raises(ValueError, match="u of 'a' has the score nan"):
        ScoreTable.of([cell("u", float("nan"))])


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_decides_nothing(chance: Any) -> None:
    numbers = np.random.default_rng(4).random(60)
    cells = [
        cell(f"u{n:02}", s, cluster=f"c{n % 7}", kind=f"k{n % 3}", tags=(f"t{n % 2}",))
        for n, s in enumerate(numbers)
    ]
    found = ScoreTable.of(cells).figures()
    chance.shuffle(cells)
    assert ScoreTable.of(cells).figures() == found


def test_the_mean_over_clusters_gives_each_the_same_weight() -> None:
    found = mean_of_means([[1, 2, 3], [], [5]])
    assert (found.mean, found.deviation) == (mean([2, 5]), stdev([2, 5]))
    assert (found.error, found.number, found.clusters) == (stdev([2, 5]) / 2**0.5, 4, 2)
    assert mean_of_means([[4]]).error is None and mean_of_means([]).mean is None


def test_an_interval_goes_nowhere_off_the_scale() -> None:
    cells = [cell(f"u{n}", n > 0) for n in range(6)]
    [free], [held] = ScoreTable.of(cells).figures(), ScoreTable.of(cells, (0, 1)).figures()
    assert free.micro.interval and held.micro.interval and free.micro.interval[1] > 1
    assert held.micro.interval == (free.micro.interval[0], 1)
    [off] = ScoreTable.of([*cells, cell("v", 5)], (0, 1)).figures()
    assert off.micro.interval and off.micro.interval[1] > 1, "a score off the scale has another"


@pytest.mark.parametrize("clusters", [2, 3, 4, 5, 10, 100])
def test_an_interval_holds_95_of_100_also_of_few_clusters(clusters: int) -> None:
    assert student(clusters) == pytest.approx(stats.t.ppf(0.975, clusters - 1), rel=0.0015)
