"""What is asked in the exam Bookmarks: each thing that somebody does in the second half of what it does."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from shared_data import data
from small_worlds import opened

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.bookmarks.bookmarks_exam import BookmarksExam
from whoknew.engine.exams.bookmarks.instances import AskedActions, in_turn, instances
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.kinds import Acted, Narrated
from whoknew.worlds.importers import storyline

EVERYBODY = AskedActions(whose="all")


async def story(*drafts: Draft) -> list[Event]:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann", "Bo"), *drafts])
        return await (await log.director("w")).events()


def did(actor: str, text: str, *also: str) -> Draft:
    return Draft(Acted(text, also=also), episode=1, actor=actor, witnesses=tuple({"Ann", "Bo"}))


async def test_the_second_half_of_what_each_does_is_asked_just_before_it() -> None:
    events = await story(
        did("Ann", "one"), did("Bo", "I"), did("Ann", "two"), did("Bo", "II"), did("Ann", "three")
    )
    asked = [(one.character, one.at, one.reference) for one in instances("w", events, EVERYBODY)]
    assert asked == [("Ann", "#5", "Ann: two"), ("Bo", "#6", "Bo: II"), ("Ann", "#7", "Ann: three")]


async def test_the_first_few_are_of_all_characters_and_those_of_each_stay_in_story_order() -> None:
    did_so = [did(*one) for one in (("Ann", "1"), ("Ann", "2"), ("Bo", "I"), ("Ann", "3"))]
    events = await story(*did_so, *did_so)
    asked = [(one.character, one.at) for one in in_turn(instances("w", events, EVERYBODY))]
    assert asked == [("Ann", "#7"), ("Bo", "#9"), ("Ann", "#8"), ("Ann", "#10")]


async def test_an_action_of_two_is_asked_of_both_and_what_nobody_does_of_nobody() -> None:
    rain = Draft(Narrated("It rains."), episode=1, witnesses=("Ann",))
    events = await story(rain, did("Ann", "Ho!", "Bo"), did("Ann", ""))
    asked = [(one.character, one.reference) for one in instances("w", events, EVERYBODY)]
    assert asked == [("Ann", "Ann and Bo: Ho!"), ("Bo", "Ann and Bo: Ho!")]


async def test_major_is_who_does_much_or_whom_the_world_came_with(tmp_path: Path) -> None:
    events = await story(*[did("Ann", "Ho!")] * 4, did("Bo", "Hm."))
    wanted = AskedActions(acts=2)
    assert {one.character for one in instances("w", events, wanted)} == {"Ann"}
    file = data("shakespeare-storylines", "title2action_series.hamlet.json")
    async with open_log(":memory:") as log:
        world = storyline.world_of(file)
        await log.append(world.name, world.drafts)
        asked = await BookmarksExam(material="x").drawn(log, Path())
    cast = storyline.casts_in(file.parent)["hamlet"]
    assert {one.character for one in asked} == {*cast.major}
    assert len(asked) == count(file, {*cast.major})


def count(file: Path, major: set[str]) -> int:
    """The same, counted from the file."""
    done = Counter(
        name
        for steps in json.loads(file.read_text()).values()
        for one in steps
        for name in one["characters"]
        if name in major
    )
    return sum(some - some // 2 for some in done.values())


@pytest.mark.parametrize("cast", [True, False])
async def test_nobody_is_asked_by_a_name_that_no_question_can_hold(
    tmp_path: Path, *, cast: bool
) -> None:
    long = "N" * 201
    acts = [{"action": "x", "characters": [who]} for who in (long, "Ann") for _ in range(20)]
    file = tmp_path / "title2action_series.tale.json"
    file.write_text(json.dumps({"one": acts}))
    if cast:
        major = {"tale": {"major": [long, "Ann"]}}
        (tmp_path / storyline.CHARACTERS).write_text(json.dumps(major))
    async with open_log(":memory:") as log:
        world = storyline.world_of(file)
        await log.append(world.name, world.drafts)
        asked = await BookmarksExam(material="x").drawn(log, Path())
    assert {one.character for one in asked} == {"Ann"}


async def test_a_name_that_nobody_has_is_refused() -> None:
    async def refused(log: Log, exam: BookmarksExam, what: str) -> None:
        with pytest.raises(WrongPlan, match=what):
            await exam.drawn(log, Path())

    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann", "Bo"), did("Ann", "Ho!")])
        await refused(log, BookmarksExam(material="m", characters=("An",)), "did you mean 'Ann'")
        await refused(log, BookmarksExam(material="m", worlds=("v",)), "there is no 'v' in m")
