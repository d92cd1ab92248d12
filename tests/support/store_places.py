"""Places where a log can be kept, one kind for each store: what runs on one runs on all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
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


BEGUN = "begun"


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
    """A database in which a log has been begun, as all others were: by a copy, which takes a tenth of the
    time that it takes to make its tables anew."""

    def __init__(self, cluster: Cluster, url: str) -> None:
        self._cluster, self.url = cluster, url

    def renew(self) -> None:
        self._cluster.drop(self._name)
        self._cluster.create(self._name, begun_in(self._cluster))

    def execute(self, sql: str) -> None:
        self._cluster.execute(sql, self._name)

    @property
    def _name(self) -> str:
        return self.url.partition("@/")[2].partition("?")[0]

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
        with cluster.database(begun_in(cluster)) as url:
            yield PostgresPlace(cluster, url)
    else:
        yield SqlitePlace(folder, "apsw" if kind == "apsw" else "sqlite3")


@cache
def begun_in(cluster: Cluster) -> str:
    """The database of a server in which a log has been begun and nothing written."""

    async def begin() -> None:
        async with Log(PostgresPlace(cluster, cluster.url(BEGUN)).store()):
            pass

    cluster.create(BEGUN)
    with ThreadPoolExecutor(1) as beside:  # whoever asks may be in a loop of its own
        beside.submit(asyncio.run, begin()).result()
    return BEGUN
