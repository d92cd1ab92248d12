"""`whoknew import timechara`."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, refused, run
from timechara_files import SERIES, written


def test_each_series_is_a_world(tmp_path: Path) -> None:
    file, log = written(tmp_path / "a.json"), tmp_path / "log.db"
    run("import", "timechara", file, "--log", log, "--questions", tmp_path / "a.jsonl")
    (line,) = answer("ls", "--log", log)
    assert (line["name"], line["state"]) == (SERIES, "imported")


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}", "utf-8")
    assert "TimeChara" in refused("import", "timechara", file, "--log", tmp_path / "log.db")
