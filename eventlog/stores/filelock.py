"""One writer a file: an exclusive lock on a file beside it, gone when its process is."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from whoknew.eventlog.errors import LogInUse


class FileLock:
    def __init__(self, path: Path) -> None:
        self._log = path
        self._path = path.with_name(path.name + ".lock")
        self._descriptor: int | None = None

    def take(self) -> None:
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(descriptor, 20).decode(errors="replace").strip()
                os.close(descriptor)
                raise LogInUse(
                    f"{self._log} is being written by another process"
                    f"{f' (pid {holder})' if holder else ''}: stop it, or open for reading"
                ) from None
            if self._still_there(descriptor):
                break
            os.close(descriptor)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _still_there(self, descriptor: int) -> bool:
        """False when the last holder removed the file between our opening and our locking it."""
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False
