"""`whoknew import storyline`."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, run
from small_imports import imported


def test_what_was_done_reads_as_it_was_told(tmp_path: Path) -> None:
    world, log = imported("storyline", tmp_path), tmp_path / "log.db"
    assert "Ana: Who asks?" in run("replay", world, "--log", log).stdout
    assert [one["state"] for one in answer("ls", "--log", log)] == ["imported"]
