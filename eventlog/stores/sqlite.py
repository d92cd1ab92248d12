"""The store in an SQLite file: the default. One connection writes, another reads.

Writes and reads each have a thread of their own, so that a slow disk never stops the loop.
A read is one statement, and done with once it has answered: no transaction stays open between pages, and none keeps
the log from being checkpointed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from whoknew.eventlog.errors import ReadOnly, unwritable
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores import sqlite_schema as schema
from whoknew.eventlog.stores.sqlite_connection import Connection, Driver
from whoknew.eventlog.stores.sqlite_writer import SqliteWriter
from whoknew.eventlog.stores.store import (
    BEHIND,
    PORTION,
    Arrival,
    Batch,
    Durability,
    Position,
    Record,
    Segment,
    StoreFacts,
    World,
)
from whoknew.eventlog.stores.thread import Thread

T = TypeVar("T")

Take = Callable[[Iterable[Any]], list[Any]]

WORLD = tuple[str, int, str | None, int]
RECORD = tuple[int, bytes, bytes, str | None, int | None]
ARRIVED = tuple[int, str, int, bytes, bytes, str | None, int | None]
PLACED = tuple[int, bytes]
KEY = tuple[str, int]
NUMBER = tuple[int]
SIZE = tuple[int, int]
LINE = tuple[str]


class SqliteStore:
    commit_now = leases = None
    pace = 0.0

    def __init__(
        self,
        path: Path,
        *,
        durability: Durability = "full",
        read_only: bool = False,
        driver: Driver | None = None,
    ) -> None:
        self.path = sqlite_connection.real_file(path)
        self.driver: Driver = driver or sqlite_connection.preferred()
        self.durability: Durability = durability
        self.poll: float | None = 0.05 if read_only else None
        self._read_only = read_only
        self._writing = Thread("whoknew-writer")
        self._reading = Thread("whoknew-reader")
        self._writer: SqliteWriter
        self._reader: Connection
        self.counted: int | None = None

    async def open(self, news: Callable[[], None]) -> None:
        try:
            if not self._read_only:
                await self._write(self._open_writer)
        except BaseException:
            self._stop()
            raise
        try:
            await self._read(self._open_reader)
        except BaseException:
            await self._close_writer()
            raise

    async def close(self) -> None:
        try:
            await self._read(self._reader.close)
        finally:
            await self._close_writer()

    async def worlds(self) -> list[World]:
        return [World(*row) for row in await self._fetch(WORLD, schema.ALL_WORLDS)]

    async def find(self, world: str) -> World | None:
        rows = await self._fetch(WORLD, schema.ONE_WORLD, world)
        return World(*rows[0]) if rows else None

    async def found(self, names: Collection[str]) -> list[World]:
        wanted = msgspec.json.encode([*names]).decode()
        return [World(*row) for row in await self._fetch(WORLD, schema.SOME_WORLDS, wanted)]

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        if self._read_only:
            raise ReadOnly(f"{self.path} was opened for reading: open it for writing to append")
        writer = self._writer
        return await self._write(lambda: writer.commit(batches))

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        sql = schema.BODIES_BACKWARD if backward else schema.BODIES_FORWARD
        return self._of_type(bytes, await self._portion(_bodies, sql, world, after, upto, limit))

    async def read_several(self, segments: Sequence[Segment]) -> list[bytes]:
        wanted = msgspec.json.encode(segments).decode()
        return await self._bodies(schema.BODIES_OF_SEVERAL, wanted)

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        wanted = msgspec.json.encode(list(seqs)).decode()
        return await self._bodies(schema.PICK, wanted, world)

    async def landmarks(self, world: str, after: int, upto: int) -> list[bytes]:
        return await self._bodies(schema.LANDMARKS, world, after, upto)

    async def tellings(self, world: str, after: int, upto: int, limit: int) -> list[bytes]:
        return await self._bodies(schema.TELLINGS, world, after, upto, limit)

    async def keys(self, world: str, begins: str = "", after: int = 0) -> dict[str, int]:
        return dict(await self._fetch(KEY, schema.KEYS, world, after, begins, begins + BEHIND))

    async def records(self, world: str, after: int, upto: int, limit: int) -> list[Record]:
        found = await self._portion(_by_body(2), schema.RECORDS, world, after, upto, limit)
        rows = self._of_type(RECORD, found)
        self._check_rising(rows, after)
        return [Record(*row) for row in rows]

    async def arrivals(self, after: Position, limit: int) -> list[tuple[Position, bytes]]:
        start = after[0] if after else 0
        rows = self._of_type(
            PLACED, await self._portion(_by_body(1), schema.ARRIVALS, start, limit)
        )
        self._check_rising(rows, start)
        return [((position,), body) for position, body in rows]

    async def page(self, after: Position, limit: int) -> list[Arrival]:
        start = after[0] if after else 0
        rows = self._of_type(ARRIVED, await self._portion(_by_body(4), schema.PAGE, start, limit))
        self._check_rising(rows, start)
        return [Arrival((position,), world, Record(*rest)) for position, world, *rest in rows]

    async def facts(self) -> StoreFacts:
        ((version,),) = await self._fetch(NUMBER, "PRAGMA user_version")
        ((pages, size),) = await self._fetch(SIZE, schema.SIZE)
        engine = f"SQLite {sqlite_connection.version(self.driver)} ({self.driver})"
        durability = None if self._read_only else self.durability
        return StoreFacts("SQLite file", engine, version, durability, pages * size)

    async def check(self) -> list[str]:
        found = [line for (line,) in await self._fetch(LINE, "PRAGMA integrity_check(20)")]
        lost = await self._fetch(NUMBER, schema.HOMELESS)
        of_none = [f"event {position} is of a world that is not there" for (position,) in lost]
        return [line for line in found if line != "ok"] + of_none

    async def _fetch(self, row: Any, sql: str, *parameters: Any) -> list[Any]:
        """Rows of that type."""
        return self._of_type(row, await self._rows(sql, *parameters))

    async def _bodies(self, sql: str, *parameters: Any) -> list[bytes]:
        return self._of_type(bytes, [body for (body,) in await self._rows(sql, *parameters)])

    async def _rows(self, sql: str, *parameters: Any) -> list[Any]:
        return await self._read(lambda: self._reader.execute(sql, parameters).fetchall())

    async def _portion(self, take: Take, sql: str, *parameters: Any) -> list[Any]:
        """What is taken of the rows, which are read no further than that."""

        def work() -> list[Any]:
            with closing(self._reader.execute(sql, parameters)) as found:
                return take(found)

        try:
            return await self._read(work)
        except TypeError:
            raise sqlite_connection.damaged(self.path, "an event has no body") from None

    def _of_type(self, kind: Any, values: list[Any]) -> list[Any]:
        """What a damaged file holds may be of any type."""
        try:
            return msgspec.convert(values, list[kind])
        except msgspec.ValidationError as error:
            raise sqlite_connection.damaged(
                self.path, f"a row is not what was written: {error}"
            ) from None

    def _check_rising(self, rows: Sequence[Any], after: int) -> None:
        """A damaged file may give rows again that were read: whoever reads on would never end."""
        for number, *_ in rows:
            if number <= after:
                raise sqlite_connection.damaged(
                    self.path, f"row {number} stands behind row {after}"
                )
            after = number

    async def _read(self, work: Callable[[], T]) -> T:
        with self._explaining():
            return await self._reading.do(work)

    async def _write(self, work: Callable[[], T]) -> T:
        with self._explaining():
            return await self._writing.do_at_once(work)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite_connection.errors(self.driver) as error:
            raise sqlite_connection.explained(error, self.path) from error
        except OSError as error:
            raise unwritable(error, self.path) from error

    def _open_writer(self) -> None:
        self._writer = SqliteWriter(self.path, self.driver, self.durability)
        self.counted = self._writer.position

    def _open_reader(self) -> None:
        reader = sqlite_connection.connect(self.path, self.driver, read_only=True)
        try:
            schema.check_begun(reader, self.path)
        except BaseException:
            reader.close()
            raise
        self._reader = reader

    async def _close_writer(self) -> None:
        """And stop, whatever became of the reader: the lock is let go of."""
        try:
            if not self._read_only:
                await self._write(self._writer.close)
        finally:
            self._stop()

    def _stop(self) -> None:
        self._writing.stop()
        self._reading.stop()


def _bodies(rows: Iterable[tuple[bytes]]) -> list[bytes]:
    """A portion of rows that are nothing but a body. All of a log is read here: each loop is written out, since
    to share one costs a twentieth of reading."""
    some, room = list[bytes](), PORTION
    for (body,) in rows:
        some.append(body)
        room -= len(body)
        if room <= 0:
            break
    return some


def _by_body(place: int) -> Take:
    """A portion of rows by the bodies that stand at that place of each."""

    def take(rows: Iterable[Any]) -> list[Any]:
        some, room = list[Any](), PORTION
        for row in rows:
            some.append(row)
            room -= len(row[place])
            if room <= 0:
                break
        return some

    return take
