"""Which runs are going on now on this machine, so that they can be listed and stopped.

Each is a small file that its process holds a lock on: of a process that is gone, however it went,
the lock is gone too, and the file says nothing any more.
"""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
import structlog
from msgspec import Struct

from whoknew.engine.errors import EngineError
from whoknew.engine.opening import without_password


class Running(Struct, frozen=True):
    """A process that plays worlds into a log."""

    pid: int
    log: str
    plan: str
    worlds: tuple[str, ...]
    started: datetime


class NotRunning(EngineError):
    """Nothing of that name is running here."""


class StillRunning(EngineError):
    """It was asked to stop, and has not yet."""


@contextmanager
def announced(log: str, plan: str, worlds: tuple[str, ...]) -> Iterator[None]:
    """Say that this process plays these worlds, for as long as it does."""
    one = Running(os.getpid(), absolute(log), plan, worlds, datetime.now(UTC))
    path = folder() / f"{os.getpid()}.json"
    try:
        file = _locked(path, msgspec.json.encode(one))
    except OSError as error:
        structlog.get_logger().warning(
            "this run cannot be seen or stopped by other commands", file=str(path), error=str(error)
        )
        yield
        return
    with file:
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def running() -> list[Running]:
    """Those that are alive, the oldest first."""
    found = [one for path in folder().glob("*.json") if (one := _alive(path))]
    return sorted(found, key=lambda one: one.started)


def stop(
    world: str | None, log: str | None = None, patience: float = 60.0, pause: float = 0.1
) -> list[Running]:
    """Ask the runs of a world, or all of them, to stop in order, and wait until they have."""
    there = running()
    asked = [
        one
        for one in there
        if (world is None or world in one.worlds or world == one.plan)
        and (log is None or absolute(log) == one.log)
    ]
    if not asked:
        playing = ", ".join(name for one in there for name in one.worlds[:3]) or "nothing"
        what = "nothing" if world is None else f"no run of {world!r}"
        what += f" into {without_password(log)}" if log else ""
        raise NotRunning(f"{what} is going on here (running on this machine: {playing})")
    for one in asked:
        _signal(one)
    deadline = time.monotonic() + patience
    while left := _left(asked):
        if time.monotonic() > deadline:
            pids = ", ".join(str(one.pid) for one in left)
            raise StillRunning(
                f"process {pids} still waits for turns in flight: wait on, or end it with "
                f"`kill -9 {pids}`; nothing that was answered is lost either way"
            )
        time.sleep(pause)
    return asked


def folder() -> Path:
    """A folder of this user's, emptied when the machine starts where there is such a one."""
    base = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_STATE_HOME")
    return Path(base or Path.home() / ".local" / "state") / "whoknew" / "running"


def absolute(log: str) -> str:
    """A log's address as it is the same from any folder, without a password in it."""
    return without_password(log) if "://" in log else str(Path(log).absolute())


def _locked(path: Path, content: bytes) -> BinaryIO:
    """A file that is locked before it has its name: so nobody finds it unlocked, and takes its
    process for dead."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unnamed = path.with_suffix(".new")
    file = unnamed.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    file.write(content)
    file.flush()
    unnamed.replace(path)
    return file


def _alive(path: Path) -> Running | None:
    try:
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return msgspec.json.decode(file.read(), type=Running)
            path.unlink(missing_ok=True)
    except (OSError, msgspec.MsgspecError):
        pass
    return None


def _left(asked: list[Running]) -> list[Running]:
    pids = {one.pid for one in running()}
    return [one for one in asked if one.pid in pids]


def _signal(one: Running, send: Callable[[int, int], None] = os.kill) -> None:
    with suppress(ProcessLookupError):
        send(one.pid, signal.SIGINT)
