"""The store in a file lets go of it, whatever goes wrong."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from whoknew.eventlog.errors import NotALog
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver

DRIVERS: tuple[Driver, ...] = ("sqlite3", "apsw")


class Watched:
    """A connection that knows whether it is open, and may fail as it is closed."""

    def __init__(self, connection: Any, *, fails: bool) -> None:
        self._connection, self._fails, self.is_open = connection, fails, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def close(self) -> None:
        self._connection.close()
        self.is_open = False
        if self._fails:
            raise MemoryError


def watch(monkeypatch: pytest.MonkeyPatch, *, reader_fails: bool = False) -> list[Watched]:
    """All connections from now on."""
    opened: list[Watched] = []
    connect = sqlite_connection.connect

    def watched(path: Path, driver: Driver, *, read_only: bool) -> Any:
        connection = connect(path, driver, read_only=read_only)
        opened.append(Watched(connection, fails=reader_fails and read_only))
        return opened[-1]

    monkeypatch.setattr(sqlite_connection, "connect", watched)
    return opened


@pytest.mark.parametrize("driver", DRIVERS)
async def test_what_is_found_to_be_no_log_is_closed_again(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE a(b)")
    opened = watch(monkeypatch)
    with pytest.raises(NotALog):
        await SqliteStore(path, read_only=True, driver=driver).open(lambda: None)
    assert [one.is_open for one in opened] == [False]


@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_reader_that_fails_as_it_is_closed_keeps_no_writer(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.db"
    opened = watch(monkeypatch, reader_fails=True)
    store = SqliteStore(path, driver=driver)
    await store.open(lambda: None)
    with pytest.raises(MemoryError):
        await store.close()
    assert [one.is_open for one in opened] == [False, False]
    assert [one.name for one in tmp_path.iterdir()] == ["log.db"]
