"""Moments at which characters are asked, in the order of the story."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from shared_data import data
from small_worlds import opened, said

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.timechara import point_file
from whoknew.engine.exams.timechara.chapters import Chapters, numbers
from whoknew.engine.exams.timechara.points import (
    GivenPoints,
    TimePoint,
    distance,
    given_points,
    time_points,
)
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.timechara import chapter_of


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
    assert (await time_points(log, "w", GivenPoints())).everyone == [
        TimePoint(4, "the first word", "the first word"),
        TimePoint(5, "the end of tea", "E1"),
        TimePoint(8, "the end of episode 2", "E2"),
    ]


async def test_those_that_are_given_come_in_the_order_of_the_story(log: Log) -> None:
    """Whatever the order of the list; several can have one label."""
    given = given_points({"at the end": ("E2", "E1"), "at the word": ("#4",)})
    points = await time_points(log, "w", given)
    assert [(one.seq, one.label) for one in points.of("Ann")] == [
        (4, "at the word"),
        (5, "at the end"),
        (8, "at the end"),
    ]


async def test_two_at_one_place_are_one(log: Log) -> None:
    given = given_points({"first": ("E1",), "again": ("#5",)})
    assert (await time_points(log, "w", given)).every == [TimePoint(5, "first", "E1")]


async def test_a_character_can_have_some_of_its_own(log: Log) -> None:
    points = await time_points(log, "w", given_points({"late": ("E2",), "Ann": {"early": ("E1",)}}))
    assert [one.label for one in points.of("Ann")] == ["early"]
    assert [one.label for one in points.of("Bob")] == ["late"]
    assert [one.label for one in points.every] == ["early", "late"]


async def test_where_characters_alone_have_some_nobody_else_is_asked(log: Log) -> None:
    points = await time_points(log, "w", given_points({"Ann": {"early": ("E1",)}}))
    assert (len(points.of("Ann")), len(points.of("Bob"))) == (1, 0)


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"never": ("E7",)}, "points.never: E7: 'w' has 2 episodes"),
        ({"Ann": {"by then": ("E1", "E7")}}, 'points.Ann."by then": E7'),
        ({"soon": ("one day",)}, 'points.soon: "one day"'),
    ],
)
async def test_one_that_is_not_there_is_refused_with_its_key(
    log: Log, table: Any, key: str
) -> None:
    with pytest.raises(WrongPlan, match=re.escape(key)):
        await time_points(log, "w", given_points(table))


async def test_the_distance_counts_the_points_between(log: Log) -> None:
    points = (await time_points(log, "w", GivenPoints())).everyone
    assert [distance(points, points[1], seq) for seq in (4, 5, 6, 8, 9)] == [1, 0, -1, -1, -2]


def _series(chapters: set[tuple[int, ...]]) -> list[Draft]:
    """A world of these chapters, in their order."""
    drafts = opened("Ann")
    for number, chapter in enumerate(sorted(chapters), 1):
        name = f"chapter {'-'.join(map(str, chapter))}"
        drafts.append(Draft(EpisodeOpened("", ("Ann",), name=name), None, number))
        drafts.append(Draft(EpisodeClosed("the chapter ends"), None, number))
    return drafts


async def test_the_papers_219_points_come_in_the_order_of_their_story() -> None:
    """One of its lists is not in it; and four of its 79 labels are of several moments."""
    file = point_file.read(data("timechara-timepoints", "timepoints.json"))
    count = 0
    several: dict[tuple[str, str], bool] = {}
    async with open_log(":memory:") as log:
        for name, series in file.items():
            await log.append(
                name, _series({chapter_of(one.at) for some in series.values() for one in some})
            )
            events = await (await log.director(name)).events()
            points = await time_points(log, name, point_file.of_world(file, name, Chapters(events)))
            for who, some in series.items():
                found = points.of(who)
                listed = sorted((chapter_of(one.at), one.label) for one in some)
                assert [
                    (numbers(events[one.seq - 2].body.name), one.label)  # type: ignore[attr-defined]
                    for one in found
                ] == listed
                assert [one.seq for one in found] == sorted({one.seq for one in found})
                count += len(found)
                labels = Counter(one.label for one in found)
                several |= {(name, label): number > 1 for label, number in labels.items()}
    assert (count, len(several), sum(several.values())) == (219, 79, 4)


def test_one_of_its_lists_is_out_of_order() -> None:
    file = point_file.read(data("timechara-timepoints", "timepoints.json"))
    disordered = [
        who
        for series in file.values()
        for who, some in series.items()
        if len({one.label for one in some}) == len(some)
        and [chapter_of(one.at) for one in some] != sorted(chapter_of(one.at) for one in some)
    ]
    assert disordered == ["Jacob Black"]


async def test_a_chapter_that_is_not_there_stands_for_the_one_before_it() -> None:
    async with open_log(":memory:") as log:
        await log.append("w", _series({(1, 2), (1, 5), (2, 1)}))
        chapters = Chapters(await (await log.director("w")).events())
    assert [chapters.episode(one) for one in ((1, 1), (1, 2), (1, 4), (1, 9), (2, 3))] == [
        *(None, 1, 1, 2, 3)
    ]


def test_a_file_that_holds_no_moments_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "points.json"
    for text, why in (
        ("[]", "holds no moments"),
        ('{"w": {"Ann": [{"label": "x", "at": "7"}]}}', "no book"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(BadSource, match=why):
            point_file.read(path)
