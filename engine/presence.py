"""What a process here says of itself for as long as it lives, so that other commands find it.

Each is a small file that its process holds a lock on: of a process that is gone, however it went,
the lock is gone too, and the file says nothing any more. A run says which worlds it plays
(`running/stop.py`), a server which log it alone writes (here): whoever finds that log in use is told
how to do there what it came for.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
from msgspec import Struct

from whoknew.eventlog.logger import logger

T = TypeVar("T", bound=Struct)


class Served(Struct, frozen=True):
    """A server of a log."""

    pid: int
    log: str
    url: str


def folder() -> Path:
    """A folder of this user's, emptied when the machine starts where there is such a one."""
    base = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_STATE_HOME")
    return Path(base or Path.home() / ".local" / "state") / "whoknew" / "running"


@contextmanager
def present(path: Path, content: Struct, without: str) -> Iterator[None]:
    """Hold the file for as long as this goes on. Where it cannot be, it is told what one is
    `without`."""
    try:
        file = _locked(path, msgspec.json.encode(content))
    except OSError as error:
        logger().warning("presence.hidden", why=without, file=str(path), error=str(error))
        yield
        return
    with file:
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def alive(pattern: str, kind: type[T]) -> list[T]:
    """What those say that are alive."""
    return [one for path in folder().glob(pattern) if (one := _read(path, kind))]


def serving(file: Path, url: str) -> AbstractContextManager[None]:
    """Say that this process serves this log, for as long as it does."""
    served = Served(os.getpid(), str(file.absolute()), url)
    without = "other commands cannot tell where this log is served"
    return present(folder() / f"{served.pid}.served", served, without)


def server_of(file: Path) -> Served | None:
    """The server that has this log, where there is one."""
    log = str(file.absolute())
    return next((served for served in alive("*.served", Served) if served.log == log), None)


def _locked(path: Path, content: bytes) -> BinaryIO:
    """A file that is locked before it has its name: so nobody finds it unlocked, and takes its
    process for dead."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unnamed = path.with_suffix(f"{path.suffix}.new")
    file = unnamed.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    file.write(content)
    file.flush()
    unnamed.replace(path)
    return file


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return msgspec.json.decode(file.read(), type=kind)
            path.unlink(missing_ok=True)
    except (OSError, msgspec.MsgspecError):
        pass
    return None
