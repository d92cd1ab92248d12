"""`whoknew draw`: the story as a picture, into a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, refused, run
from diner_world import WORLD, nights

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return nights(tmp_path)


def test_a_story_is_drawn_with_who_knows_of_an_event(file: Path, tmp_path: Path) -> None:
    into = tmp_path / "story.svg"
    shown = run("draw", WORLD, "--about", "cannot taste", "-o", into, "--log", file).stdout
    assert "Turnaround, 9 lines" in shown
    assert "#89 (of " in shown and "is known to " in shown
    text = into.read_text("utf-8")
    assert text.startswith("<svg") and "Vera was told at #126 by Yusuf." in text
    own = answer("draw", WORLD, "--as", "Vera", "-o", tmp_path / "vera.svg", "--log", file)
    assert own["character"] == "Vera" and "Rufus" in own["lines"]["people"]


def test_the_picture_in_the_readme_is_what_is_drawn(file: Path, tmp_path: Path) -> None:
    into = tmp_path / "midnight-diner.svg"
    run("draw", WORLD, "--about", "cannot taste", "--at", "E5", "-o", into, "--log", file)
    assert into.read_bytes() == (DOCS / into.name).read_bytes()


def test_nothing_is_written_over_and_what_is_not_there_is_told(file: Path, tmp_path: Path) -> None:
    into = tmp_path / "story.svg"
    into.write_text("mine")
    assert "exists already" in refused("draw", WORLD, "-o", into, "--log", file)
    assert into.read_text() == "mine"
    other = tmp_path / "other.svg"
    assert "holds 'zeppelin'" in refused(
        "draw", WORLD, "--about", "zeppelin", "-o", other, "--log", file
    )
    assert not other.exists()


def test_a_picture_is_not_written_under_the_name_of_another_format(
    file: Path, tmp_path: Path
) -> None:
    into = tmp_path / "story.png"
    refusal = f"a picture is SVG: name a file that ends in .svg, such as {tmp_path / 'story.svg'}"
    assert refusal in refused("draw", WORLD, "-o", into, "--log", file)
    assert refusal in refused("knows", WORLD, "--about", 89, "--graph", into, "--log", file)
    assert not into.exists()
