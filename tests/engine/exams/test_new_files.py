"""Files that come to be together: all of them or none, wherever it is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import ENVIRONMENT, answer, refused, run

from whoknew.engine.exams.new_files import new_files
from whoknew.eventlog.errors import BadAddress, LogInUse

KILLED = """
import os, signal, sys
from whoknew.cli import main

left, real = int(sys.argv.pop(1)), os.link

def link(one, other, **more):
    global left
    if str(one).startswith("lamp.toml.partial"):
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
    real(one, other, **more)

os.link = link
main()
"""
"""The command, killed before one of the links by which its files come to stand there."""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def listed() -> list[str]:
    return sorted(one.name for one in Path().iterdir())


@pytest.mark.parametrize("links", range(4))
def test_an_exam_whose_making_was_killed_is_made_by_the_same_command(links: int) -> None:
    words = ("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room", "--anonymised")
    process = subprocess.run(
        [sys.executable, "-c", KILLED, str(links), *words], check=False, env=ENVIRONMENT
    )
    assert process.returncode == -9
    assert not Path("lamp.toml").exists() and "lamp.toml.partial" in listed()
    run(*words)
    assert listed() == ["lamp.jsonl", "lamp.names.json", "lamp.toml", "lamp.worlds.db"]
    assert answer("exam", "check", "lamp.toml")["units"] > 0


def test_what_somebody_else_put_there_meanwhile_stays_and_nothing_else_does() -> None:
    with pytest.raises(BadAddress, match=r"b\.txt exists already"), new_files(Path("c.txt")) as one:
        for name in ("a.txt", "b.txt", "c.txt"):
            (one / name).write_text(name)
        Path("b.txt").write_text("mine")
    assert listed() == ["b.txt"] and Path("b.txt").read_text() == "mine"


def test_what_fails_leaves_nothing_behind() -> None:
    with pytest.raises(ValueError, match="so"), new_files(Path("c.txt")) as folder:
        (folder / "c.txt").write_text("c")
        raise ValueError("so")
    assert listed() == []


def test_two_at_a_time_are_one_too_many() -> None:
    with new_files(Path("c.txt")) as folder:
        (folder / "c.txt").write_text("c")
        with pytest.raises(LogInUse), new_files(Path("c.txt")):
            pass
    assert listed() == ["c.txt"]


def test_what_is_there_is_not_written_over_though_a_folder_was_left() -> None:
    with new_files(Path("c.txt")) as folder:
        (folder / "c.txt").write_text("c")
    Path("c.txt.partial").mkdir()
    Path("c.txt.partial/c.txt").hardlink_to("c.txt")  # killed right after its last link
    with pytest.raises(BadAddress, match="exists already"), new_files(Path("c.txt")):
        pass
    assert listed() == ["c.txt"]


def test_an_exam_in_a_folder_that_is_not_there_is_refused() -> None:
    assert "nowhere" in refused("exam", "new", "questions", "nowhere/q.toml")
