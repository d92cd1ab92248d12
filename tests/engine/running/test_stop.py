"""Which runs go on here: seen by others, gone with their process, stopped in order."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from whoknew.engine.errors import NotRunning, StillRunning
from whoknew.engine.presence import folder
from whoknew.engine.running.stop import Running, absolute, announced, running, stop

PLAYER = """
import sys, signal
from whoknew.engine.running.stop import announced
signal.signal(signal.SIGUSR1, lambda *_: sys.exit() if {heeds} else None)
with announced("k.db", "plan.toml", ("kitchen", "cellar")):
    print("plays", flush=True)
    while True:
        signal.pause()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def player(heeds: bool = True) -> subprocess.Popen[str]:
    """Another process that plays, until it is told to stop, if it heeds that."""
    code = PLAYER.format(heeds=heeds)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "plays\n"
    process.stdout.close()
    return process


def test_what_is_announced_is_seen_for_as_long_as_it_goes_on() -> None:
    with announced("k.db", "plan.toml", ("kitchen",)):
        (one,) = running()
        assert (one.pid, one.plan, one.worlds) == (os.getpid(), "plan.toml", ("kitchen",))
        assert one.log == str(Path("k.db").absolute())
    assert running() == []
    assert list(folder().iterdir()) == []


def test_of_a_process_that_was_killed_nothing_is_left() -> None:
    process = player()
    assert [one.pid for one in running()] == [process.pid]
    process.kill()
    process.wait()
    assert running() == []
    assert list(folder().iterdir()) == []


def test_a_file_that_makes_no_sense_is_no_run() -> None:
    folder().mkdir(parents=True)
    (folder() / "1.json").write_text("{")
    assert running() == []


@pytest.mark.parametrize("name", ["kitchen", "cellar", "plan.toml", None])
def test_a_run_is_stopped_by_a_world_its_plan_or_with_all_others(name: str | None) -> None:
    process = player()
    assert [one.pid for one in stop(name, pause=0.01)] == [process.pid]
    assert process.wait() == 0
    assert running() == []


def test_a_run_into_another_log_is_left_alone() -> None:
    process = player()
    with pytest.raises(NotRunning):
        stop("kitchen", "other.db")
    assert [one.pid for one in stop("kitchen", "k.db", pause=0.01)] == [process.pid]
    process.wait()


def test_where_nothing_runs_that_is_said() -> None:
    with pytest.raises(NotRunning, match="no run is going on here: this machine plays nothing"):
        stop(None)
    process = player()
    with pytest.raises(NotRunning, match=r"no run of 'attic'.*'kitchen', 'cellar'"):
        stop("attic")
    process.kill()
    process.wait()


def test_one_that_does_not_stop_in_time_is_named_with_what_to_do() -> None:
    process = player(heeds=False)
    with pytest.raises(
        StillRunning, match=f"process {process.pid} still waits.*whoknew stop kitchen --now"
    ):
        stop("kitchen", patience=0.05, pause=0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_run_goes_on_where_it_cannot_be_announced(tmp_path: Path) -> None:
    (tmp_path / "whoknew").write_text("in the way")
    with capture_logs() as said, announced("k.db", "plan.toml", ("kitchen",)):
        assert running() == []
    assert [one["log_level"] for one in said] == ["warning"]


def test_only_its_user_is_told_what_a_password_is() -> None:
    assert absolute("postgresql://me:secret@host/db") == "postgresql://me@host/db"


def test_the_runs_are_told_oldest_first() -> None:
    players = [player(), player()]
    assert [one.pid for one in running()] == [one.pid for one in players]
    for one in players:
        one.kill()
        one.wait()


def test_a_run_can_be_written_down_and_read() -> None:
    with announced("k.db", "p", ("w",)):
        (file,) = folder().glob("*.json")
        assert stat.S_ISREG(file.stat().st_mode)
        assert all(isinstance(one, Running) for one in running())


LATE = """
import asyncio, os
from whoknew.engine.playing.control import Control
from whoknew.engine.running.stop import STOP, STOP_NOW
from whoknew.engine.running.signals import stopped_by_signals

async def main():
    with stopped_by_signals(Control()):
        pass

asyncio.run(main())
for number in (STOP, STOP_NOW):
    os.kill(os.getpid(), number)
print("the report")
"""


def test_a_stop_that_comes_when_a_run_is_just_over_leaves_it_its_report() -> None:
    """Who asks it to stop saw it going on a moment before."""
    done = subprocess.run(
        [sys.executable, "-c", LATE], stdout=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "the report\n")
