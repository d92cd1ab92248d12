"""Long work on a thread has breaks, and loses nothing by them."""

from __future__ import annotations

from itertools import count

from whoknew.engine.finding.giving_way import BREAK, LONG, giving_way


def breaks(step: float) -> list[float]:
    """Those of a hundred things that take so long each."""
    slept: list[float] = []
    times = count(0, step)
    assert list(giving_way(range(100), times.__next__, slept.append)) == list(range(100))
    return slept


def test_what_takes_long_is_done_with_breaks() -> None:
    assert breaks(2 * LONG) == [BREAK] * 100


def test_what_takes_no_time_has_none() -> None:
    assert breaks(0) == []


def test_several_short_things_have_one_together() -> None:
    assert 20 < len(breaks(LONG / 3)) < 40
