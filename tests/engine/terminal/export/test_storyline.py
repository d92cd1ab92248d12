"""`whoknew export storyline`: what came in goes out as it came in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from small_imports import STORYLINE, imported


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_storyline_goes_out_as_it_came_in() -> None:
    world = imported("storyline", Path())
    found = answer("export", "storyline", world, "out", "--log", "log.db")
    assert (found["titles"], found["actions"], found["major"]) == (1, 3, 0)
    assert json.loads(Path("out/title2action_series.ball.json").read_text()) == STORYLINE
    casts = json.loads(Path("out/all_characters.json").read_text())
    assert casts == {"ball": {"major": [], "minor": ["Ana", "Bo"]}}
    assert "exists already" in refused("export", "storyline", world, "out", "--log", "log.db")


def test_a_world_that_was_played_goes_out_and_comes_in_again() -> None:
    run("run", "midnight-diner")
    told = run("export", "storyline", "midnight-diner", "out", "--log", "midnight-diner.db").stdout
    assert "under 10 titles" in told and "the form does not say who is there" in told
    file = Path("out/title2action_series.midnight-diner.json")
    run("import", "storyline", file, "--log", "again.db")
    run("export", "storyline", "storyline-midnight-diner", "again", "--log", "again.db")
    assert Path("again", file.name).read_bytes() == file.read_bytes()


def test_several_worlds_go_into_one_file_of_casts() -> None:
    run("import", "play", "the-lamp-room", "--log", "log.db")
    imported("storyline", Path())
    for world in ("the-lamp-room", "storyline-ball"):
        run("export", "storyline", world, "out", "--log", "log.db")
    casts = json.loads(Path("out/all_characters.json").read_text())
    assert list(casts) == ["the-lamp-room", "ball"] and casts["the-lamp-room"]["major"]


def test_a_world_whose_name_leads_elsewhere_is_one_file_in_the_folder() -> None:
    world = "b/../../../again"
    run("demo", "--log", "log.db")
    run("fork", "midnight-diner", "--at", "E2", "--name", world, "--log", "log.db")
    run("export", "storyline", world, "deep/out", "--log", "log.db")
    run("draw", world, "--log", "log.db")
    written = {file for file in Path().iterdir() if not file.name.startswith("log.db")}
    assert written == {Path("deep"), Path("b-..-..-..-again.svg")}
    file = Path("deep/out/title2action_series.b-..-..-..-again.json")
    assert file.exists() and len([*file.parent.iterdir()]) == 2
    casts = json.loads(file.with_name("all_characters.json").read_text())
    assert [*casts] == ["b-..-..-..-again"]
