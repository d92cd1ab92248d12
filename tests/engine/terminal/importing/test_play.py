"""`whoknew import play`."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, run
from lamp_room import PLAY


def test_an_import_again_leaves_what_is_there(play: Path) -> None:
    assert "left as it was" in run("import", "play", PLAY, "--log", play).stdout


def test_a_bundled_play_becomes_a_world_of_its_scenes(play: Path) -> None:
    (line,) = [one for one in answer("ls", "--log", play) if one["name"] == PLAY]
    assert (line["state"], line["closed"]) == ("imported", 6)


def test_it_says_what_the_world_is_called(play: Path) -> None:
    there = run("import", "play", PLAY, "--log", play).stdout
    assert f"1 world left as it was there already: {PLAY}\n" in there
    fresh = play.with_name("fresh.db")
    assert f"fresh.db: {PLAY}\n" in run("import", "play", PLAY, "--log", fresh).stdout
