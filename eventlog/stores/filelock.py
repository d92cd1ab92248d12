"""One writer a file, where two processes would write: an exclusive lock on another file beside it, which
ends with its process. Whoever comes meanwhile is told that the log is in use."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from whoknew.eventlog.errors import LogInUse


class FileLock:
    def __init__(self, path: Path) -> None:
        self._log = path
        self._path = path.with_name(path.name + ".lock")
        self._descriptor: int | None = None

    def take(self) -> None:
        while self._descriptor is None:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                self._lock(descriptor)
                if self._still_there(descriptor):
                    self._descriptor = descriptor
            finally:
                if self._descriptor is None:
                    os.close(descriptor)
        with suppress(OSError):  # who holds it is a courtesy: a full disk has no room for that
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):  # what is left of it holds nobody up
                self._path.unlink()
            os.close(self._descriptor)
            self._descriptor = None

    def _lock(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 20).decode(errors="replace").strip()
            raise LogInUse(
                f"{self._log} is being written by another process"
                f"{f' (pid {holder})' if holder else ''}: stop it, or open for reading"
            ) from None

    def _still_there(self, descriptor: int) -> bool:
        """False when the last holder removed the file between our opening and our locking it."""
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False
