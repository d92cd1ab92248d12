"""Places where a log can be kept, one kind for each store: what runs on one runs on all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from postgres_server import Cluster

from whoknew.eventlog import Log
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver
from whoknew.eventlog.stores.store import Store
from whoknew.eventlog.stores.volatile import VolatileStore

KINDS = ("volatile", "sqlite", "apsw", "postgres")

SHARED = ("volatile", "postgres")
"""Those that two logs can write to at a time, as two processes would."""


class Place(Protocol):
    """Where a log is kept. It can be opened, closed and opened again: what was written is there."""

    def store(self) -> Store: ...

    def renew(self) -> None:
        """Begin anew with nothing written. No log may be open here."""


def log_at(place: Place, **options: Any) -> Log:
    return Log(place.store(), **options)


class VolatilePlace:
    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self._store = VolatileStore()

    def store(self) -> Store:
        return self._store


class SqlitePlace:
    def __init__(self, folder: Path, driver: Driver) -> None:
        self._folder, self._driver = folder, driver
        self._numbers = count(1)
        self.renew()

    def renew(self) -> None:
        self.path = self._folder / f"{self._driver}{next(self._numbers)}.db"

    def store(self) -> Store:
        return SqliteStore(self.path, driver=self._driver)


class PostgresPlace:
    def __init__(self, cluster: Cluster, url: str) -> None:
        self._cluster, self.url = cluster, url

    def renew(self) -> None:
        self.execute("SET client_min_messages = warning; DROP SCHEMA IF EXISTS whoknew CASCADE")

    def execute(self, sql: str) -> None:
        self._cluster.execute(sql, database=self.url.partition("@/")[2].partition("?")[0])

    def store(self) -> Store:
        from whoknew.eventlog.stores.postgres import PostgresStore

        return PostgresStore(self.url)


@contextmanager
def place_for(kind: str, folder: Path, request: Any) -> Iterator[Place]:
    """A place of a kind; `request` is asked for the server only where it is needed."""
    if kind == "volatile":
        yield VolatilePlace()
    elif kind == "postgres":
        cluster = request.getfixturevalue("postgres")
        with cluster.database() as url:
            yield PostgresPlace(cluster, url)
    else:
        yield SqlitePlace(folder, "apsw" if kind == "apsw" else "sqlite3")
