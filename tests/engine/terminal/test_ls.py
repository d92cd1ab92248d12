"""`whoknew ls`: a line a world."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, harbour, refused, run
from diner_world import WORLD, nights


def test_a_line_tells_how_a_world_stands_and_what_it_cost(tmp_path: Path) -> None:
    file = nights(tmp_path)
    (line,) = answer("ls", "--log", file)
    assert (line["name"], line["state"], line["closed"]) == (WORLD, "finished", 10)
    shown = run("ls", "--log", file).stdout
    assert WORLD in shown and "finished" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "calls" not in shown.splitlines()[0]
    assert shown.splitlines()[-1].startswith("not shown here: calls")
    wide = run("ls", "--log", file, environment={"COLUMNS": "200"}).stdout
    assert "calls" in wide.splitlines()[0] and "not shown" not in wide


def test_a_fork_is_listed_as_one(tmp_path: Path) -> None:
    lines = answer("ls", "--log", harbour(tmp_path / "log.db"))
    assert [(one["name"], one["state"]) for one in lines] == [
        ("harbour", "suspended"),
        ("harbour-fork", "fork"),
    ]


def test_a_log_that_is_not_there_is_not_begun(tmp_path: Path) -> None:
    assert "no such file" in refused("ls", "--log", tmp_path / "no.db")
    assert list(tmp_path.iterdir()) == []
