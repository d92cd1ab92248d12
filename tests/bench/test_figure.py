"""The bench's own arithmetic: how steep something grows, and what moved by more than its noise."""

from __future__ import annotations

from pathlib import Path

import pytest
from against import moves
from figure import EXPONENT, Figure, Reach
from power import fit
from result import Measured, Result, keep, kept


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_is_that_of_the_power(power: float) -> None:
    sizes = [10, 1_000, 100_000]
    found = fit(sizes, [3 * size**power for size in sizes])
    assert (found.factor, found.exponent) == pytest.approx((3, power))


def test_a_figure_is_judged_by_the_median_of_its_ratios() -> None:
    figure = Figure("reads", ours=[10, 30, 20], limit=[20, 40, 80], reach=Reach(0.5, "share"))
    assert figure.ratio == 0.5
    assert figure.met
    assert figure.spread == pytest.approx((0.75 - 0.25) / 0.5)


def test_how_far_a_figure_comes_is_more_where_it_is_better() -> None:
    assert Reach(100, "most").share(Figure("wait", ours=[50])) == 2
    assert Reach(100, "least").share(Figure("rate", ours=[50])) == 0.5
    assert Reach(4, "times").share(Figure("peer", ours=[10], limit=[5])) == 0.5
    assert Reach(0, "most").share(Figure("leaks", ours=[0])) is None


def result(*figures: Figure, size: str = "full") -> Result:
    return {"part": Measured("now", "abc", size, {}, [one.summary() for one in figures])}


def test_what_moved_by_more_than_its_noise() -> None:
    before = result(
        Figure("noisy", ours=[90, 100, 110]),
        Figure("steady", ours=[99, 100, 101]),
        Figure("of a faster machine", ours=[100, 100], limit=[200, 200]),
        Figure("steep", EXPONENT, ours=[0.00, 0.02]),
        Figure("leaks", ours=[0]),
        Figure("same", ours=[7]),
        Figure("gone", ours=[1]),
    )
    now = result(
        Figure("noisy", ours=[110, 110]),
        Figure("steady", ours=[110, 110]),
        Figure("of a faster machine", ours=[150, 150], limit=[300, 300]),
        Figure("steep", EXPONENT, ours=[0.5, 0.5]),
        Figure("leaks", ours=[2]),
        Figure("same", ours=[7]),
        Figure("new", ours=[1]),
    )
    beyond = {one.name: (one.by, one.times) for one in moves(now, before) if one.beyond}
    assert beyond == {
        "part: steady": (pytest.approx(0.1), "5.0 x"),
        "part: steep": (pytest.approx(0.49), "24.5 x"),
        "part: leaks": (2.0, "one run"),
    }


def test_results_of_other_sizes_do_not_compare() -> None:
    one = Figure("reads", ours=[1])
    assert not moves(result(one, size="big"), result(one))


def test_a_result_is_kept_whole_and_what_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "latest.json"
    keep(file, result(Figure("reads", ours=[1, 2])))
    assert kept(file)["part"].figures[0]["ours"] == 1.5
    file.write_text("{")
    with pytest.raises(SystemExit, match="no result of make bench"):
        kept(file)
