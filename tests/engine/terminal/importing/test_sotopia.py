"""`whoknew import sotopia`."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import answer, run
from limited_disk import refused_by_disk
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


LIGHT = {"agents_background": {"Ana": "", "Bo": ""}, "social_interactions": 'Ana said: "Ho!"'}
CONFIG = {"scenario": "A bar.", "agents": [{"name": "Ana"}, {"name": "Bo"}], "state_properties": 1}


def test_episodes_without_an_id_are_worlds_of_their_own(tmp_path: Path) -> None:
    """The second was called as the first, and lost, as if it had been on the log before."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({**LIGHT, "scenario": name}))
    found = answer("import", "sotopia", tmp_path, "--log", tmp_path / "log.db")
    assert found["worlds"] == ["sotopia-a line 1", "sotopia-b line 1"]


def test_a_world_that_is_called_as_another_of_the_same_import_is_told(tmp_path: Path) -> None:
    one = json.dumps({**LIGHT, "scenario": "a", "episode_id": "x"})
    (tmp_path / "a.jsonl").write_text(f"{one}\n{one}\n")
    found = answer("import", "sotopia", tmp_path, "--log", tmp_path / "log.db")
    assert (found["worlds"], found["there"]) == (["sotopia-x"], [])
    (remark,) = (one for one in found["remarks"] if one["record"] == "sotopia-x")
    assert "another world of this import is called so" in remark["what"]


def test_a_setting_that_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    source, settings = tmp_path / "games", tmp_path / "settings"
    for name in ("a", "b"):
        (source / name).mkdir(parents=True)
        (source / name / "game.json").write_text(json.dumps({**CONFIG, "scenario": name}))
    command = ("import", "sotopia", source, "--log", tmp_path / "log.db", "--settings", settings)
    first = answer(*command)
    (file,) = settings.iterdir()
    assert first["settings"] == [str(file)]
    assert [one["what"] for one in first["remarks"]].count("is there already: left as it is") == 1
    file.write_text("mine")
    assert answer(*command)["settings"] == []
    assert file.read_text() == "mine"


def test_no_half_of_a_setting_is_left_where_the_disk_is_full(tmp_path: Path) -> None:
    """It was, and from then on it was left as it was."""
    source, settings, log = tmp_path / "game.json", tmp_path / "settings", tmp_path / "log.db"
    source.write_text(json.dumps({**CONFIG, "scenario": "A long bar. " * 40_000}))
    answer("import", "sotopia", source, "--log", log)
    words = ("import", "sotopia", source, "--log", log, "--settings", settings)
    assert str(settings) in refused_by_disk(400_000, *words)
    assert not any(settings.iterdir())
    assert len(answer(*words)["settings"]) == 1
