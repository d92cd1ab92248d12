"""The bench's own arithmetic: how steep something grows, and what moved by more than its noise."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from against import moves
from figure import EXPONENT, Figure, Reach
from growth import exponent


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_is_that_of_the_power(power: float) -> None:
    sizes = [10, 1_000, 100_000]
    assert exponent(sizes, [3 * size**power for size in sizes]) == pytest.approx(power)


def test_a_figure_is_judged_by_the_median_of_its_ratios() -> None:
    figure = Figure("reads", ours=[10, 30, 20], limit=[20, 40, 80], reach=Reach(0.5, "share"))
    assert figure.ratio == 0.5
    assert figure.met
    assert figure.spread == pytest.approx((0.75 - 0.25) / 0.5)


def test_what_moved_by_more_than_its_noise(tmp_path: Path) -> None:
    def result(*figures: Figure) -> dict[str, object]:
        return {"figures": {"part": [one.summary() for one in figures]}}

    earlier = tmp_path / "earlier.json"
    earlier.write_bytes(
        msgspec.json.encode(
            result(
                Figure("noisy", ours=[90, 100, 110]),
                Figure("steady", ours=[99, 100, 101]),
                Figure("of a faster machine", ours=[100], limit=[200]),
                Figure("steep", EXPONENT, ours=[0.00, 0.02]),
                Figure("leaks", ours=[0]),
                Figure("gone", ours=[1]),
            )
        )
    )
    now = result(
        Figure("noisy", ours=[110]),
        Figure("steady", ours=[110]),
        Figure("of a faster machine", ours=[150], limit=[300]),
        Figure("steep", EXPONENT, ours=[0.5]),
        Figure("leaks", ours=[2]),
        Figure("new", ours=[1]),
    )
    beyond = {one.name: one.by for one in moves(now, earlier) if one.beyond}
    assert beyond == {
        "part: steady": pytest.approx(0.1),
        "part: steep": pytest.approx(0.49),
        "part: leaks": 2.0,
    }
