"""`whoknew import bigtom`."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, run
from shared_data import data


def test_each_row_is_four_worlds(tmp_path: Path) -> None:
    rows = data("bigtom", "bigtom.csv").read_text("utf-8").splitlines(keepends=True)
    file, log = tmp_path / "two.csv", tmp_path / "log.db"
    file.write_text("".join(rows[:2]), "utf-8")
    run("import", "bigtom", file, "--log", log)
    lines = answer("ls", "--log", log)
    assert len(lines) == 8
    assert {one["state"] for one in lines} == {"imported"}
