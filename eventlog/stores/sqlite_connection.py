"""A connection to an SQLite file, by whichever driver is installed, and what its errors mean.

SQLite before 3.51.3 can damage a file when two connections write or checkpoint it at the same
moment. `apsw` bundles one without that fault and is faster, so it is preferred where installed;
with the standard library's, one connection does every write and every checkpoint.
"""

from __future__ import annotations

import importlib.util
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import quote

from whoknew.eventlog.errors import (
    BadAddress,
    Damaged,
    LogError,
    LogInUse,
    NotALog,
    OutOfSpace,
    ReadOnly,
    StoreUnavailable,
)

Driver = Literal["sqlite3", "apsw"]


class DriverCursor(Protocol):
    def __iter__(self) -> Iterator[Any]: ...

    def close(self) -> None: ...

    def fetchall(self) -> list[Any]: ...

    def fetchone(self) -> Any: ...


class Connection(Protocol):
    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> DriverCursor: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> DriverCursor: ...

    def close(self) -> None: ...


def preferred() -> Driver:
    return "apsw" if importlib.util.find_spec("apsw") else "sqlite3"


def real_file(path: Path) -> Path:
    """The file itself, where the path is a link to it: SQLite follows a link, and keeps what is beside a log
    beside that file."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def connect(path: Path, driver: Driver, *, read_only: bool) -> Connection:
    """A connection in autocommit that may be used from any one thread at a time."""
    if path.is_dir():
        raise BadAddress(f"{path} is a folder: name a file in it")
    uri = f"file:{quote(str(path))}?{_mode(path) if read_only else 'mode=rwc'}"
    if driver == "apsw":
        import apsw

        flags = apsw.SQLITE_OPEN_URI | (
            apsw.SQLITE_OPEN_READONLY
            if read_only
            else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        )
        connection = apsw.Connection(uri, flags=flags, statementcachesize=256)
        connection.set_busy_timeout(int(LOCKED * 1000))
        return connection
    return sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        timeout=LOCKED,
    )


LOCKED = 5.0
"""Seconds that another program may keep the file locked, before the log is said to be in use."""

DAMAGE = (
    0,  # the standard library's: text that is no UTF-8
    sqlite3.SQLITE_ERROR,  # statements are ours, and right: so the tables are not
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_TOOBIG,
)
"""What SQLite says of files whose bytes are not what was written."""

APPLICATION_ID = 0x57484F4B
"""`WHOK`, in the header of every SQLite log: what tells it from other databases."""


def damaged(path: Path, why: object) -> Damaged:
    return Damaged(
        f"{path} is damaged or cut short ({why}): restore a backup, or save what can still be "
        "read: `whoknew log export --anyway`"
    )


def _is_marked(path: Path) -> bool:
    """Whether the file was a log once: what else stands in its header may be damaged."""
    try:
        with path.open("rb") as file:
            return file.read(100)[68:72] == APPLICATION_ID.to_bytes(4)
    except OSError:
        return False


def _mode(path: Path) -> str:
    """Reading needs a file beside the log, unless nobody has written to it since it was closed."""
    settled = not ahead_of(path).exists()
    return (
        "immutable=1" if settled and not os.access(path.absolute().parent, os.W_OK) else "mode=ro"
    )


def ahead_of(path: Path) -> Path:
    """Where SQLite keeps what is not in the file yet."""
    return path.with_name(path.name + "-wal")


def version(driver: Driver) -> str:
    if driver == "apsw":
        import apsw

        return apsw.sqlite_lib_version()
    return sqlite3.sqlite_version


def errors(driver: Driver) -> tuple[type[Exception], ...]:
    if driver == "apsw":
        import apsw

        return (apsw.Error, UnicodeDecodeError)
    return (sqlite3.Error, UnicodeDecodeError)


def explained(error: Exception, path: Path) -> LogError:
    """What an error of either driver means to whoever uses the log."""
    code: int = getattr(error, "extendedresult", 0) or getattr(error, "sqlite_errorcode", 0)
    # What is beside the log in shared memory cannot grow either, which is told otherwise.
    match sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF:
        case sqlite3.SQLITE_NOTADB if not _is_marked(path):
            return NotALog(f"{path} is not a Whoknew log: it is not an SQLite database")
        case code if code in DAMAGE:
            return damaged(path, error)
        case sqlite3.SQLITE_FULL:
            return OutOfSpace(
                f"no space left for {path}: nothing of what was being written is on the log; "
                "make room on the disk, then do the same again"
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return LogInUse(f"{path} is locked by another program ({error}): close it, try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return ReadOnly(f"{path} cannot be written ({error}): check its permissions")
        case sqlite3.SQLITE_CANTOPEN if path.exists() and ahead_of(path).exists():
            return BadAddress(
                f"{path} was left open by whoever wrote it, and to read it a file is made beside it, "
                f"which cannot be: copy it, with {ahead_of(path).name}, to a folder that can be written"
            )
        case sqlite3.SQLITE_CANTOPEN:
            return BadAddress(f"{path} cannot be opened: check that it exists and may be read")
        case _:
            return StoreUnavailable(
                f"{path}: the disk failed ({error}): nothing of what was being written is on the log; "
                "look at the disk, then try again"
            )
