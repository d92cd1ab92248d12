"""Storylines go out as they came in, and what they say of their characters with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import data

from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers import storyline
from whoknew.worlds.importers.imported import ImportedWorld

NAMES = st.sampled_from(["Ana", "Bo", "Cleo of the Hill", "Environment", "Other", ""])
TEXTS = st.text(st.sampled_from("ab :[],.A"), max_size=12) | st.sampled_from(
    ["Ana: Who asks?", "Ana and Bo: Ho!", "[It rains.]", "Bo bows", "Ana, Bo and Ana: Ho!", ": x"]
)
STEPS = st.fixed_dictionaries({"action": TEXTS, "characters": st.lists(NAMES, max_size=3)})
OLD = st.fixed_dictionaries({"action": TEXTS, "character": NAMES})
STORIES = st.dictionaries(st.text(max_size=4), st.lists(STEPS | OLD, max_size=6), max_size=4)


def imported(folder: Path, story: Any, **casts: Any) -> ImportedWorld:
    file = folder / "title2action_series.ball.json"
    file.write_text(json.dumps(story))
    if casts:
        (folder / storyline.CHARACTERS).write_text(json.dumps(casts))
    return storyline.world_of(file)


def written(world: ImportedWorld) -> Any:
    return msgspec.to_builtins(storyline.story_of(world.name, world.drafts).story)


@pytest.mark.parametrize("play", ["hamlet", "macbeth", "dream", "r_and_j"])
def test_a_play_goes_out_as_it_came_in(play: str) -> None:
    file = data("shakespeare-storylines", f"title2action_series.{play}.json")
    world = storyline.world_of(file)
    found = storyline.story_of(world.name, world.drafts)
    assert found.work == play and found.remarks == ()
    assert written(world) == json.loads(file.read_text())
    casts = json.loads(file.with_name(storyline.CHARACTERS).read_text())
    assert msgspec.to_builtins(found.cast) == {
        key: tuple(names) for key, names in casts[play].items()
    }


@given(STORIES)
def test_whatever_is_written_in_it_goes_out_as_it_came_in(story: Any) -> None:
    read = msgspec.convert(story, dict[str, list[storyline.Step]])
    found = storyline.story_of("ball", storyline.drafts_of("ball", read))
    assert msgspec.to_builtins(found.story) == story


def test_who_does_much_is_major_where_nobody_says_who_is(tmp_path: Path) -> None:
    steps = [{"action": "Ana: Ho!", "characters": ["Ana"]}] * 10
    world = imported(tmp_path, {"One": [*steps, {"action": "Bo bows", "characters": ["Bo"]}]})
    assert storyline.story_of("w", world.drafts).cast == storyline.Cast(("Ana",), ("Bo",))


def test_a_cast_comes_from_the_file_beside_it(tmp_path: Path) -> None:
    cast = {"major": ["Bo"], "minor": ["Ana"]}
    world = imported(tmp_path, {"One": [{"action": "Ana: Ho!", "character": "Ana"}]}, ball=cast)
    source = storyline.source_of(world.drafts)
    assert source and source.cast == storyline.Cast(("Bo",), ("Ana",))
    with pytest.raises(BadSource, match='works, each with its "major"'):
        imported(tmp_path, {}, ball=3)


def test_whoever_has_a_name_that_nobody_can_be_asked_by_is_told(tmp_path: Path) -> None:
    long = "N" * 201
    story = {"one": [{"action": "x", "characters": [long, "Ann", " Bo"]}]}
    told = [one.what for one in imported(tmp_path, story).remarks]
    assert sum("nobody can be asked as" in what for what in told) == 2
    assert any(f"{'N' * 40}... (201 characters)" in what for what in told)


def test_whoever_does_something_is_named_once(tmp_path: Path) -> None:
    """It read "Bo Bo bows" in the story, and "Bo does this: Bo bows" in a prompt."""
    some = [{"action": "Bo bows", "characters": ["Bo"]}, {"action": "Bob bows", "character": "Bo"}]
    world = imported(tmp_path, {"One": some})
    assert [one.body.words for one in world.drafts if one.turn in (1, 2)][:2] == [
        "bows",
        "Bob bows",
    ]
    assert [one["action"] for one in written(world)["One"]] == ["Bo bows", "Bob bows"]


def test_a_world_has_a_name_that_a_log_takes_however_long_its_file_is_called(
    tmp_path: Path,
) -> None:
    file = tmp_path / f"title2action_series.storyline-{'long ' * 40}.json"
    file.write_text("{}")
    assert is_name(storyline.world_of(file).name)
