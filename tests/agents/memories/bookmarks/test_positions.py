"""Positions that more are put behind: what was there stays as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.memories.bookmarks.positions import Positions

some = st.lists(st.integers(1, 300), max_size=8, unique=True).map(sorted)


@given(began=some, steps=st.lists(st.tuples(st.integers(0, 40), some), max_size=12))
def test_each_has_its_own_whoever_goes_on_from_it(
    began: list[int], steps: list[tuple[int, list[int]]]
) -> None:
    found, expected = [Positions(began)], [tuple(began)]
    for which, more in steps:
        number = which % len(found)
        found.append(found[number].further(more))
        expected.append(tuple(sorted({*expected[number], *more})))
    for one, other in zip(found, expected, strict=True):
        assert one == other and len(one) == len(other) and hash(one) == hash(other)
        assert (one[-3:], one[1:], list(one)) == (other[-3:], other[1:], list(other))


def test_what_is_put_behind_them_is_not_copied_with_all_before_it() -> None:
    first = Positions(range(1, 1001))
    second = first.further([1001])
    again = first.further([1001])
    assert first._shared is second._shared is again._shared
    assert first.further([1002])._shared is not first._shared and len(first) == 1000
