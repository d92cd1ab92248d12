"""What a process here says of itself for as long as it lives, so that other commands find it.

Each is a small file that its process holds a lock on: of a process that is gone, however it went,
the lock is gone too, and the file says nothing any more.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
import structlog
from msgspec import Struct

T = TypeVar("T", bound=Struct)


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
        structlog.get_logger().warning(without, file=str(path), error=str(error))
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
