"""Questions that are alike: the same as by going through all of them, and without doing so."""

from __future__ import annotations

import heapq
from collections.abc import Set as AbstractSet
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.memories.bookmarks.alike import AlikeQuestions
from whoknew.agents.memories.bookmarks.bookmark import shared

words = st.frozensets(st.sampled_from("abcdefgh"), max_size=5)


def alike(some: list[frozenset[str]]) -> AlikeQuestions:
    found = AlikeQuestions()
    for number, stems in enumerate(some, start=1):
        found.add(number, stems)
    return found


@given(st.lists(words, max_size=40), words, st.integers(1, 7))
def test_the_best_are_those_of_all(
    some: list[frozenset[str]], asked: frozenset[str], most: int
) -> None:
    plainly = heapq.nlargest(
        most, ((shared(asked, stems), number) for number, stems in enumerate(some, start=1))
    )
    assert alike(some).best(asked, most) == [number for _, number in plainly]


def test_those_that_share_nothing_are_the_newest_and_order_of_adding_counts_for_nothing() -> None:
    found = AlikeQuestions()
    for number in (3, 1, 2):
        found.add(number, frozenset({"lamp"}))
    assert found.best(frozenset({"rope"}), 2) == [3, 2] and found.best(frozenset({"lamp"}), 5) == [
        3,
        2,
        1,
    ]
    assert found.best(frozenset(), 1) == [3] and AlikeQuestions().best(frozenset({"lamp"}), 5) == []


class Counted(frozenset[Any]):
    """Counts how often stems are compared."""

    times = 0

    def __and__(self, other: AbstractSet[Any]) -> frozenset[Any]:
        Counted.times += 1
        return super().__and__(other)


def test_where_a_name_is_in_every_question_few_are_looked_at() -> None:
    found = AlikeQuestions()
    for number in range(1, 5_001):
        found.add(number, frozenset({"ann", "want", f"with{number % 997}"}))
    Counted.times = 0
    assert found.best(Counted({"ann", "want", "with5"}), 5) == [4990, 3993, 2996, 1999, 1002]
    assert found.best(Counted({"ann", "want", "nobody"}), 5) == [5000, 4999, 4998, 4997, 4996]
    assert 0 < Counted.times < 100
