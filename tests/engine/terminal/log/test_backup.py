"""`whoknew log backup`: a copy that is a log."""

from __future__ import annotations

from pathlib import Path

from command_runner import run


def test_a_backup_is_a_log_with_the_same_heads(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run("log", "backup", file, copy).stdout.startswith("backed up 5 events of 2 worlds to ")
    assert run("log", "head", copy).stdout == run("log", "head", file).stdout
