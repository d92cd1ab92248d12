"""The five recalls: by hand, and in their order whatever comes to mind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.judges.recalls import recalls


def test_by_hand() -> None:
    evidence = ((1, 2), (3,), (3, 4))
    assert recalls({1, 3}, evidence) == {
        "flat": 0.5,
        "all-all": 0.0,
        "all-any": 1.0,
        "any-all": 1.0,
        "any-any": 1.0,
    }
    assert recalls({2, 9}, evidence) == {
        "flat": 0.25,
        "all-all": 0.0,
        "all-any": 0.0,
        "any-all": 0.0,
        "any-any": 1.0,
    }
    assert set(recalls(set(), evidence).values()) == {0.0}
    assert set(recalls({1, 2, 3, 4}, evidence).values()) == {1.0}


SEQS = st.integers(1, 8)


@given(
    st.frozensets(SEQS), st.lists(st.lists(SEQS, min_size=1, max_size=4), min_size=1, max_size=4)
)
def test_whatever_comes_they_keep_their_order(came: frozenset[int], sets: list[list[int]]) -> None:
    found = recalls(came, sets)
    assert found["all-all"] <= found["all-any"] <= found["any-any"]
    assert found["all-all"] <= found["any-all"] <= found["any-any"]
    assert (found["flat"] == 1) == bool(found["all-all"])
    assert (found["flat"] > 0) == bool(found["any-any"])
