"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_runner import answer, harbour, refused, run

from whoknew.engine.logs.export_by_world import file_name
from whoknew.eventlog import Head


def test_one_world_is_exported_with_all_of_its_past(file: Path, tmp_path: Path) -> None:
    done = answer("log", "export", file, tmp_path / "e.jsonl", "--world", "harbour-fork")
    assert done["worlds"] == {"harbour": 3, "harbour-fork": 4}


def test_each_world_has_a_file_of_its_own_and_all_of_them_make_the_log_again(
    file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "worlds"
    done = answer("log", "export", file, folder, "--by-world")
    assert (done["worlds"], done["already"], done["events"]) == (2, 0, 4 + 4)
    names = {re.sub("-[0-9a-f]{16}", "", one.name) for one in folder.iterdir()}
    assert names == {"harbour.jsonl.gz", "harbour-fork.jsonl.gz"}
    new = tmp_path / "new.db"
    assert answer("log", "import", new, folder)["events"] == 5
    assert run("log", "head", new).stdout == run("log", "head", file).stdout


def test_an_export_by_world_goes_on_where_it_was_stopped(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "worlds"
    run("log", "export", file, folder, "--by-world")
    (gone,) = (one for one in folder.iterdir() if "fork" not in one.name)
    gone.unlink()
    done = answer("log", "export", file, folder, "--by-world")
    assert (done["worlds"], done["already"], done["events"]) == (2, 1, 4)
    run("mark", "harbour", "later", "--at", "end", "--log", file)
    told = refused("log", "export", file, folder, "--by-world")
    assert gone.name in told and "at another time" in told


def test_an_export_by_world_is_refused_where_it_makes_no_sense(file: Path, tmp_path: Path) -> None:
    assert "is a file" in refused("log", "export", file, file, "--by-world")
    run("log", "export", file, tmp_path / "x", "--by-world", "--world", "harbour", rc=2)
    (tmp_path / "empty").mkdir()
    told = refused("log", "import", tmp_path / "new.db", tmp_path / "empty")
    assert "holds no export" in told and not (tmp_path / "new.db").exists()


def test_what_is_no_file_in_a_folder_of_exports_is_not_waited_for(
    file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "worlds"
    run("log", "export", file, folder, "--by-world")
    os.mkfifo(folder / "a.jsonl")
    (folder / "b.jsonl").mkdir()
    assert answer("log", "import", tmp_path / "new.db", folder)["events"] == 5


def test_a_damaged_world_is_told_also_by_another_process(file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE events SET body = replace(body, 'rain', 'hail')")
    assert "fault" in refused("log", "export", file, tmp_path / "worlds", "--by-world")


def test_an_export_by_world_takes_no_other_log_for_its_own(file: Path, tmp_path: Path) -> None:
    run("log", "export", file, tmp_path / "worlds", "--by-world")
    other = harbour(tmp_path / "other.db")
    told = refused("log", "export", other, tmp_path / "worlds", "--by-world")
    assert "worlds of another log" in told


@pytest.mark.parametrize("world", ["../etc", "é" * 200, "...", "a/b", "CON"])
def test_any_world_has_a_file_that_any_disk_takes(world: str) -> None:
    name = file_name(Head(world, 7, bytes(32)))
    assert len(name.encode()) < 100 and name.isascii() and "/" not in name
    assert not name.startswith(".")
