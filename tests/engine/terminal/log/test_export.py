"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from command_runner import answer, refused, run

from whoknew.engine.logs.export_by_world import file_name


def test_one_world_is_exported_with_all_of_its_past(file: Path, tmp_path: Path) -> None:
    done = answer("log", "export", file, tmp_path / "e.jsonl", "--world", "harbour-fork")
    assert done["worlds"] == {"harbour": 3, "harbour-fork": 4}


def test_each_world_has_a_file_of_its_own_and_all_of_them_make_the_log_again(
    file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "worlds"
    done = answer("log", "export", file, folder, "--by-world")
    assert (done["worlds"], done["already"], done["events"]) == (2, 0, 4 + 4)
    assert {one.name for one in folder.iterdir()} == set(
        map(file_name, ("harbour", "harbour-fork"))
    )
    new = tmp_path / "new.db"
    assert answer("log", "import", new, folder)["events"] == 5
    assert run("log", "head", new).stdout == run("log", "head", file).stdout


def test_an_export_by_world_goes_on_where_it_was_stopped(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "worlds"
    run("log", "export", file, folder, "--by-world")
    (folder / file_name("harbour")).unlink()
    done = answer("log", "export", file, folder, "--by-world")
    assert (done["worlds"], done["already"], done["events"]) == (2, 1, 4)
    run("mark", "harbour", "later", "--at", "end", "--log", file)
    told = refused("log", "export", file, folder, "--by-world")
    assert "holds 'harbour' up to #4, and the log has it up to #5" in told


def test_an_export_by_world_is_refused_where_it_makes_no_sense(file: Path, tmp_path: Path) -> None:
    assert "is a file" in refused("log", "export", file, file, "--by-world")
    run("log", "export", file, tmp_path / "x", "--by-world", "--world", "harbour", rc=2)
    (tmp_path / "empty").mkdir()
    told = refused("log", "import", tmp_path / "new.db", tmp_path / "empty")
    assert "holds no export" in told and not (tmp_path / "new.db").exists()


def test_a_damaged_world_is_told_also_by_another_process(file: Path, tmp_path: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE events SET body = replace(body, 'rain', 'hail')")
    assert "fault" in refused("log", "export", file, tmp_path / "worlds", "--by-world")


@pytest.mark.parametrize("world", ["../etc", "é" * 200, "...", "a/b", "CON"])
def test_any_world_has_a_file_that_any_disk_takes(world: str) -> None:
    name = file_name(world)
    assert len(name.encode()) < 100 and name.isascii() and "/" not in name
    assert not name.startswith(".")
