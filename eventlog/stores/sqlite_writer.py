"""The one connection that writes an SQLite log: synchronous, on a thread of its own.

A lock on a file beside it keeps a second writer away, in whatever process.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from whoknew.eventlog.errors import BadAddress, StoreUnavailable
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores import sqlite_schema as schema
from whoknew.eventlog.stores.filelock import FileLock
from whoknew.eventlog.stores.sqlite_connection import Connection, Driver
from whoknew.eventlog.stores.store import Batch, Durability

HIGHEST = 2**62
"""A position past this is damage: no log has so many events, and SQLite counts to twice that."""


class WorldRow(Struct):
    """A world that has been written to: its number in the file, and where it stands."""

    id: int
    head: int
    hash: bytes | None


class SqliteWriter:
    def __init__(self, path: Path, driver: Driver, durability: Durability) -> None:
        """Open the file, and make it or bring it up to date where need be."""
        if not path.parent.is_dir():
            raise BadAddress(f"{path}: there is no folder {path.parent}")
        self._driver: Driver = driver
        self._known: dict[str, WorldRow] = {}
        self._lock = FileLock(path)
        self._lock.take()
        try:
            _check_one_name(path)
            self._connection = _connected(path, driver)
            try:
                schema.make_ready(self._connection, path, durability)
                self._path, self._file = path.absolute(), path.stat()
                self._worlds = self._connection.execute(schema.COUNT_WORLDS).fetchone()[0]
                self.position = self._connection.execute(schema.LAST_POSITION).fetchone()[0]
                if self.position > HIGHEST:
                    raise sqlite_connection.damaged(path, f"it has an event at {self.position}")
            except BaseException:
                self._connection.close()
                raise
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        try:
            self._connection.close()
        finally:
            self._lock.release()

    def commit(self, batches: Sequence[Batch]) -> list[bool]:
        """Write the batches whose worlds stand where they expect; which those were."""
        self._check_in_place()
        changed: dict[str, WorldRow] = {}
        outcome: list[bool] = []
        worlds: list[tuple[Any, ...]] = []
        values: list[Any] = []
        position = self.position
        for batch in batches:
            name, opens = batch.world, batch.opens
            known = changed.get(name) or self._known.get(name) or self._find(name)
            if (known and known.head) != (None if opens else batch.after) or (
                known and batch.on and known.hash != batch.on
            ):
                outcome.append(False)
                continue
            if known is None:
                known = WorldRow(self._worlds + len(worlds) + 1, batch.after, None)
                worlds.append((known.id, name, opens and opens.parent, batch.after))
            for one in batch.records:
                position += 1
                values += (position, known.id, one.seq, one.hash, one.key, one.landmark, one.body)
            changed[name] = WorldRow(known.id, batch.records[-1].seq, batch.records[-1].hash)
            outcome.append(True)
        self._write(worlds, values)
        self._known.update(changed)
        self._worlds += len(worlds)
        self.position = position
        return outcome

    def _check_in_place(self) -> None:
        """What is written to a file that has lost its name is lost with it; and what is newest of it would be
        taken for that of whatever lies there since."""
        try:
            in_place = os.path.samestat(self._path.stat(), self._file)
        except FileNotFoundError:
            in_place = False
        if not in_place:
            raise StoreUnavailable(
                f"{self._path} was removed, or moved away, while it was written: nothing more is written to it. "
                f"What is newest of it lies in {sqlite_connection.ahead_of(self._path).name}: put it back before "
                "anything else is opened there, then do the same again"
            )

    def _find(self, world: str) -> WorldRow | None:
        row = self._connection.execute(schema.KNOWN, (world,)).fetchone()
        return self._known.setdefault(world, WorldRow(*row)) if row else None

    def _write(self, worlds: list[tuple[Any, ...]], values: list[Any]) -> None:
        """All in one transaction: of one statement where that will do, since between two the
        thread would have to wait for the loop's."""
        execute = self._connection.execute
        if not worlds and len(values) <= schema.MOST_VALUES:
            if values:
                execute(schema.insert_events(len(values)), values)
            return
        execute("BEGIN IMMEDIATE")
        try:
            for world in worlds:
                execute(schema.INSERT_WORLD, world)
            for start in range(0, len(values), schema.MOST_VALUES):
                some = values[start : start + schema.MOST_VALUES]
                execute(schema.insert_events(len(some)), some)
            execute("COMMIT")
        except BaseException:
            # On a full disk SQLite has rolled back by itself, and says that there is nothing to.
            with suppress(*sqlite_connection.errors(self._driver)):
                execute("ROLLBACK")
            raise


def _check_one_name(path: Path) -> None:
    """SQLite keeps what is newest beside the name by which a file was opened: two who write it by two names
    lose what the other wrote, and the lock beside one of them keeps nobody away from the other."""
    if path.exists() and path.stat().st_nlink > 1:
        raise BadAddress(
            f"{path} has a second name (a hard link), and what is written by one is lost by the other: "
            f"remove that, or go on with a copy (`whoknew log backup`)"
        )


def _connected(path: Path, driver: Driver) -> Connection:
    """A connection to a log of today, or to a file that is none yet."""
    opened = sqlite_connection.connect(path, driver, read_only=False)
    try:
        older = schema.is_older(opened, path)
    except BaseException:
        opened.close()
        raise
    if not older:
        return opened
    opened.close()
    from whoknew.eventlog.stores.sqlite_migrations import migrate

    migrate(path)
    return sqlite_connection.connect(path, driver, read_only=False)
