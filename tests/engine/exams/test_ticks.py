"""Marks of an axis: round, evenly apart, and within it."""

from __future__ import annotations

from itertools import pairwise
from math import ulp

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whoknew.engine.exams.ticks import MOST, ticks


@pytest.mark.parametrize(
    ("ends", "marks"),
    [
        ((0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ((0.137, 0.482), [0.2, 0.3, 0.4]),
        ((-3, 7), [-2, 0, 2, 4, 6]),
        ((0, 10.5), [0, 2, 4, 6, 8, 10]),
        ((0.5, 0.5), [0.5]),
    ],
)
def test_marks_are_round(ends: tuple[float, float], marks: list[float]) -> None:
    assert ticks(*ends) == marks


def test_what_is_counted_has_whole_marks() -> None:
    assert ticks(1, 2, whole=True) == [1, 2]
    assert ticks(1, 45, whole=True) == [10, 20, 30, 40]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@example(879610.0, 1e-6)
def test_they_are_few_evenly_apart_and_within(least: float, width: float) -> None:
    found = ticks(least, least + width)
    gaps = [b - a for a, b in pairwise(found)]
    assert 2 <= len(found) <= MOST
    slack = width * 1e-6 + 4 * ulp(
        abs(least) + width
    )  # of what a float cannot tell, nothing is asked
    assert least - slack <= found[0] and found[-1] <= least + width + slack
    assert all(gap == pytest.approx(gaps[0], rel=1e-3, abs=1e-9) for gap in gaps)
