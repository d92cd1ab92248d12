"""How high each line of a story runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from small_worlds import opened, said

from whoknew.engine.travel.gatherings import Gatherings
from whoknew.engine.travel.lifelines import COLUMNS, Lifelines, lifelines, ordered
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened

NAMES = tuple("ABCDEFGH")
scenes = st.lists(
    st.tuples(st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.integers(0, 5)),
    max_size=12,
)


def story(some: Sequence[tuple[Sequence[str], int]]) -> Gatherings:
    """An episode for each cast, in which so many things are said."""
    drafts: list[Draft] = opened(*NAMES)
    for number, (cast, lines) in enumerate(some, start=1):
        drafts.append(Draft(EpisodeOpened("x", tuple(cast)), episode=number, place="hall"))
        drafts += [said(cast[0], "x", *cast[1:], episode=number) for _ in range(lines)]
        drafts.append(Draft(EpisodeClosed("over"), episode=number))
    found = Gatherings()
    for seq, one in enumerate(drafts, start=1):
        at = drafts[0].at
        assert at is not None
        found.take(
            Event(
                "w",
                seq,
                at,
                at,
                one.body,
                one.episode,
                0,
                one.actor,
                one.place,
                one.witnesses,
            )
        )
    return found


def whole(found: Gatherings, columns: int = COLUMNS) -> Lifelines:
    return lifelines(found, ordered(found), found.begins, found.upto, columns)


@given(scenes, st.integers(1, 30))
def test_people_who_are_together_lie_side_by_side_and_no_two_lines_on_each_other(
    some: list[tuple[list[str], int]], columns: int
) -> None:
    lines = whole(story(some), columns)
    assert len(lines.columns) <= columns
    assert set(lines.people) == {name for cast, _ in some for name in cast}
    for column in lines.columns:
        there = {
            name: height
            for name, height in zip(lines.people, column.heights, strict=True)
            if height is not None
        }
        heights = sorted(there.values())
        assert all(other - one > 0.5 for one, other in pairwise(heights))
        assert not heights or (lines.highest <= heights[0] and heights[-1] <= lines.lowest)
        for one in column.together:
            own = [there[name] for name in one.people]
            between = [
                name
                for name, height in there.items()
                if min(own) < height < max(own) and name not in one.people
            ]
            assert between == []
    ends = [(one.first, one.last) for one in lines.columns]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(ends))


def test_who_is_always_together_lies_together_and_never_crosses_anybody() -> None:
    some = [(["A", "E"], 2), (["B", "F"], 2), (["C", "G"], 2), (["A", "E"], 2), (["B", "F"], 2)]
    lines = whole(story(some))
    places = {name: place for place, name in enumerate(lines.people)}
    for one, other in ("AE", "BF", "CG"):
        assert abs(places[one] - places[other]) == 1
    for column in lines.columns:
        there = [height for height in column.heights if height is not None]
        assert there == sorted(there)


def test_a_window_has_the_order_of_the_whole() -> None:
    found = story([(["A", "E", "C"], 9), (["B", "F"], 9), (["C", "G"], 9), (["A", "B"], 9)])
    order = ordered(found)
    window = lifelines(found, order, found.begins + 4, found.begins + 20)
    assert window.people == whole(found).people
    by_event = {one.first: one for one in whole(found).columns}
    same = [one for one in window.columns if one.first in by_event]
    assert same
    assert all(by_event[one.first].heights == one.heights for one in same)
