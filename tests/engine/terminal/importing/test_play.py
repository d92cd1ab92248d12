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
    new = " ".join(run("import", "play", PLAY, "--log", fresh).stdout.split())
    assert f"fresh.db: {PLAY} " in new  # a long path to it breaks the line


def test_amendments_of_a_world_that_is_there_already_are_said_not_to_be_made(
    play: Path, tmp_path: Path
) -> None:
    amend = tmp_path / "lamps.toml"
    amend.write_text(
        '[[amendments]]\nspeech = "Act II, Scene I, speech 6"\nwords = "stones"\n'
        'heard = ["WREN"]\nwhy = "She stands in the door."\n'
    )
    told = answer("import", "play", PLAY, "--amend", amend, "--log", play)["remarks"]
    assert told[-1]["what"].startswith("1 amendment not made, as it was there already")
