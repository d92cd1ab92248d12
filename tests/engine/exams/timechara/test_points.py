"""Moments at which characters are asked, in the order of the story."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from small_worlds import opened, said

from whoknew.engine.exams.timechara.points import TimePoint, distance, time_points
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.errors import NoSuchMoment
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    """Two episodes, seqs 3 to 5 and 6 to 8; then a mark at the first speech, and one that is a secret."""
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann"))
        for number, name in ((1, "tea"), (2, "")):
            first = Draft(EpisodeOpened("Tea.", ("Ann",), name=name), None, number)
            spoken = said("Ann", f"Word {number}.", episode=number)
            await log.append("w", [first, spoken, Draft(EpisodeClosed("over"), None, number)])
        marks = MarkPlaced("the first word", upto=4), MarkPlaced("a secret", upto=7, secret=True)
        await log.append("w", [Draft(one) for one in marks])
        yield log


async def test_they_are_the_ends_of_episodes_and_the_marks_in_order(log: Log) -> None:
    assert await time_points(log, "w", {}) == [
        TimePoint(4, "the first word", "the first word"),
        TimePoint(5, "the end of tea", "E1"),
        TimePoint(8, "the end of episode 2", "E2"),
    ]


async def test_those_that_are_given_come_in_the_order_of_the_story(log: Log) -> None:
    """Whatever the order of the list; several can have one label."""
    given = {"at the end": ["E2", "E1"], "at the word": ["#4"]}
    points = await time_points(log, "w", given)
    assert [(one.seq, one.label) for one in points] == [
        (4, "at the word"),
        (5, "at the end"),
        (8, "at the end"),
    ]


async def test_two_at_one_place_are_one(log: Log) -> None:
    points = await time_points(log, "w", {"first": ["E1"], "again": ["#5"]})
    assert points == [TimePoint(5, "first", "E1")]


async def test_one_that_is_not_there_is_refused(log: Log) -> None:
    with pytest.raises(NoSuchMoment, match="E7"):
        await time_points(log, "w", {"never": ["E7"]})


async def test_the_distance_counts_the_points_between(log: Log) -> None:
    points = await time_points(log, "w", {})
    assert [distance(points, points[1], seq) for seq in (4, 5, 6, 8, 9)] == [1, 0, -1, -1, -2]
