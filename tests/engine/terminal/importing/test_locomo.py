"""`whoknew import locomo`."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from small_imports import imported


def test_what_was_said_can_be_asked_of_who_heard_it(tmp_path: Path) -> None:
    world, log = imported("locomo", tmp_path), tmp_path / "log.db"
    assert "Bo: So I said 2." in run("replay", world, "--as", "Ana", "--log", log).stdout
    again = run("import", "locomo", tmp_path / "locomo.json", "--log", log).stdout
    assert "left as it was" in again
