"""Which lines around hits are read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.memories.bookmarks.spans import AROUND, BEST, LONGEST, NO_SPANS, lines_of

hits = st.lists(st.integers(1, 900), unique=True, max_size=60).map(sorted)


def spans(hits: Sequence[int], upto: int) -> list[range]:
    """All that lie around hits, each time from the first on."""
    merged: list[range] = []
    for hit in hits:
        first, end = max(1, hit - AROUND), min(upto, hit + AROUND) + 1
        if merged and first <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, end)
        else:
            merged.append(range(first, end))
    return [
        range(first, min(first + LONGEST, span.stop))
        for span in merged
        for first in range(span.start, span.stop, LONGEST)
    ]


def plainly(hits: Sequence[int], upto: int) -> tuple[range, ...]:
    """The best of all."""
    counted = [(sum(hit in span for hit in hits), span.start, span) for span in spans(hits, upto)]
    best = sorted(counted, key=lambda one: one[:2], reverse=True)[:BEST]
    return tuple(sorted((span for count, _, span in best if count), key=lambda span: span.start))


def best_spans(hits: Sequence[int], upto: int) -> tuple[range, ...]:
    return NO_SPANS.further(hits).best(upto)


def test_around_a_hit_lie_eight_lines_on_each_side_as_far_as_there_are_any() -> None:
    assert spans([20], 100) == [range(12, 29)]
    assert spans([3], 100) == [range(1, 12)]
    assert spans([98], 100) == [range(90, 101)]


def test_spans_that_touch_are_one() -> None:
    assert spans([20, 37], 100) == [range(12, 46)], "28 and 29 stand side by side"
    assert spans([20, 38], 100) == [range(12, 29), range(30, 47)], "29 is in neither"


def test_a_span_that_runs_on_is_cut_from_its_beginning_on() -> None:
    whole = spans(range(10, 200, 5), 300)
    assert whole == [range(2, 66), range(66, 130), range(130, 194), range(194, 204)]


def test_the_spans_with_most_hits_are_read_of_equal_ones_the_later_in_story_order() -> None:
    lone = [100 * number for number in range(1, 11)]
    assert [span.start for span in best_spans(lone, 2000)] == [hit - AROUND for hit in lone[2:]]
    twice = sorted([*lone, 101])
    assert [span.start for span in best_spans(twice, 2000)] == [
        92, *(hit - AROUND for hit in lone[3:])
    ]  # fmt: skip


@given(hits, st.integers(0, 40))
def test_every_hit_lies_in_one_span_and_no_two_spans_share_a_line(
    hits: list[int], more: int
) -> None:
    upto = max(hits, default=0) + more
    found = spans(hits, upto)
    lines = lines_of(found)
    assert lines == sorted(set(lines)) and set(hits) <= set(lines) <= set(range(1, upto + 1))
    assert all(0 < len(span) <= LONGEST for span in found)
    assert all(any(abs(line - hit) <= AROUND for hit in hits) for line in lines)


@given(hits)
def test_so_many_spans_are_read_at_most_and_none_without_a_hit(hits: list[int]) -> None:
    found = best_spans(hits, 900)
    assert len(found) <= BEST and set(found) <= set(spans(hits, 900))
    assert all(set(span) & set(hits) for span in found)
    assert list(found) == sorted(found, key=lambda span: span.start)


@given(hits, hits)
def test_what_comes_later_changes_only_spans_that_reach_to_the_end(
    before: list[int], later: list[int]
) -> None:
    upto = max(before, default=0) + 1
    grown = [*before, *(upto + hit for hit in later)]
    old, new = spans(before, upto), spans(grown, upto + 900)
    assert all(span in new for span in old if span.stop <= upto - 2 * AROUND)


@given(
    st.lists(st.sampled_from([1, 2, 5, 16, 17, 18, 40]), max_size=120),
    st.integers(0, 120),
    st.integers(0, 20),
)
def test_hit_by_hit_they_are_what_they_are_from_the_first_on(
    gaps: list[int], first: int, more: int
) -> None:
    hits = list(accumulate(gaps))
    folded = NO_SPANS.further(hits[:first]).further(hits[first:])
    assert folded == NO_SPANS.further(hits)
    upto = max(hits, default=0) + more
    assert folded.best(upto) == plainly(hits, upto)


def test_of_many_hits_no_more_is_kept_than_of_few() -> None:
    many = NO_SPANS.further(range(1, 30_000, 3))
    assert len(many.closed) == BEST and len(many.best(30_000)) == BEST
