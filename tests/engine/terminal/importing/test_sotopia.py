"""`whoknew import sotopia`."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import answer, run
from shared_data import data
from small_imports import imported


def test_an_episode_is_a_world_with_what_came_of_it(tmp_path: Path) -> None:
    world, log = imported("sotopia", tmp_path), tmp_path / "log.db"
    (line,) = answer("ls", "--log", log)
    assert (line["name"], line["state"], line["closed"]) == (world, "imported", 1)
    assert run("show", world, "--log", log).stdout.splitlines()[-1].startswith("story ")


def test_what_can_be_played_is_written_into_a_folder(tmp_path: Path) -> None:
    folder, log = tmp_path / "settings", tmp_path / "log.db"
    found = answer("import", "sotopia", data("sotopia"), "--log", log, "--settings", folder)
    assert len(found["settings"]) == len(list(folder.iterdir())) > 0
    assert "sotopia.toml" in {file.name for file in folder.iterdir()}


def test_a_game_whose_name_leads_elsewhere_is_written_into_the_folder(tmp_path: Path) -> None:
    file, folder = tmp_path / "game.json", tmp_path / "deep" / "settings"
    people = [{"name": "Ana"}, {"name": "Bo"}]
    file.write_text(json.dumps({"pk": "../../x", "scenario": "A bar.", "agents": people}))
    run("import", "sotopia", file, "--log", tmp_path / "log.db", "--settings", folder)
    assert [one.name for one in folder.iterdir()] == ["..-..-x.toml"]
