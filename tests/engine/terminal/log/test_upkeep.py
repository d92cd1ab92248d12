"""Looking after a log: `whoknew log`, as it is typed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import damage, refused, run, write

from whoknew.eventlog import open_log


def test_reading_commands_work_beside_a_writer(file: Path, tmp_path: Path) -> None:
    async def beside() -> None:
        async with open_log(file):
            for command in ("info", "head", "verify"):
                await asyncio.to_thread(run, "log", command, file)
            await asyncio.to_thread(run, "log", "export", file, tmp_path / "e.jsonl")
            await asyncio.to_thread(run, "log", "backup", file, tmp_path / "b.db")
            again = await asyncio.to_thread(refused, "log", "import", file, tmp_path / "e.jsonl")
            assert "being written by another process" in again

    asyncio.run(beside())


@pytest.mark.parametrize("command", ["export", "backup"])
def test_a_damaged_log_is_copied_only_where_that_is_asked_for(
    file: Path, tmp_path: Path, command: str
) -> None:
    damage(file)
    copy = tmp_path / "copy.db"
    said = refused("log", command, file, copy)
    assert "has 1 fault: harbour #4" in said
    assert "--anyway" in said
    assert not copy.exists()
    shown = run("log", command, file, copy, "--anyway", rc=1).stdout
    assert "lost: harbour #4: it is there, but is not what was hashed" in shown
    assert copy.exists()


def test_nothing_is_written_over(file: Path) -> None:
    for command in ("export", "backup"):
        assert "exists already" in refused("log", command, file, file)
    run("log", "verify", file)


@pytest.mark.parametrize("command", ["info", "head", "verify"])
def test_reading_a_log_that_is_not_there_creates_none(tmp_path: Path, command: str) -> None:
    assert "there is no such file" in refused("log", command, tmp_path / "no.db")
    assert list(tmp_path.iterdir()) == []


def test_copying_a_log_that_is_not_there_creates_nothing(tmp_path: Path) -> None:
    for command in ("export", "backup"):
        assert "no such file" in refused("log", command, tmp_path / "no.db", tmp_path / "out")
    assert "no such file" in refused("log", "import", tmp_path / "new.db", tmp_path / "no.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_names_cannot_break_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "odd.db"
    asyncio.run(write(file, "真夜中", "\x1b[2J\x07Ann"))
    for command in ("info", "head", "verify"):
        shown = run("log", command, file).stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "真夜中" in run("log", "info", file).stdout
