"""A disk that fails when it is told to: a layer of apsw's under SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import apsw

NAMES = count(1)


class Disk(apsw.VFS):
    """The ordinary files, but once `left` writes (or syncs) are used up each fails with `error`."""

    def __init__(self) -> None:
        self.name = f"failing{next(NAMES)}"
        self.left: int | None = None
        self.syncs_too = False
        self.error = apsw.SQLITE_FULL
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:
        return File(self, name, flags)

    def spend(self) -> None:
        if self.left is not None:
            if self.left == 0:
                raise apsw.exception_for(self.error)
            self.left -= 1


class File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: Any) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.spend()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        if self._disk.syncs_too:
            self._disk.spend()
        super().xSync(flags)


@contextmanager
def failing_disk(monkeypatch: Any) -> Iterator[Disk]:
    """While it lasts, logs are written through a disk that can be told to fail."""
    from whoknew.eventlog.stores import sqlite_connection

    disk = Disk()
    ordinary = sqlite_connection.connect

    def connect(path: Path, driver: Any, *, read_only: bool) -> Any:
        if read_only:
            return ordinary(path, driver, read_only=True)
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        return apsw.Connection(str(path), flags=flags, vfs=disk.name)

    monkeypatch.setattr(sqlite_connection, "connect", connect)
    yield disk
    disk.unregister()
