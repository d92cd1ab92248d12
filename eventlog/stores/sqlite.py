"""The store in an SQLite file: the default. One connection writes, another reads.

Writes and reads each have a thread of their own, so that a slow disk never stops the loop.
A read is one statement, fetched whole: no transaction stays open between pages, and none keeps
the log from being checkpointed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from whoknew.eventlog.errors import BadAddress, NewerSchema, NotALog, ReadOnly
from whoknew.eventlog.stores import connection
from whoknew.eventlog.stores import sqlite_schema as schema
from whoknew.eventlog.stores.connection import Connection, Driver
from whoknew.eventlog.stores.filelock import FileLock
from whoknew.eventlog.stores.store import Arrival, Batch, Durability, Position, Record, World

T = TypeVar("T")


class SqliteStore:
    def __init__(
        self,
        path: Path,
        *,
        durability: Durability = "full",
        read_only: bool = False,
        driver: Driver | None = None,
    ) -> None:
        self.path = path
        self.driver: Driver = driver or connection.preferred()
        self.durability = durability
        self.poll: float | None = 0.05 if read_only else None
        self._read_only = read_only
        self._lock = FileLock(path)
        self._writing = ThreadPoolExecutor(1, "whoknew-writer")
        self._reading = ThreadPoolExecutor(1, "whoknew-reader")
        self._writer: Connection
        self._reader: Connection
        self._ids: dict[str, int] = {}
        self._heads: dict[str, int] = {}
        self._position = 0

    async def open(self, news: Callable[[], None]) -> None:
        await self._off(self._writing, self._open)

    async def close(self) -> None:
        await self._off(self._reading, lambda: self._reader.close())
        if not self._read_only:
            await self._off(self._writing, lambda: self._writer.close())
        self._stop()

    async def worlds(self) -> list[World]:
        return [World(*row) for row in await self._fetch(schema.ALL_WORLDS)]

    async def find(self, world: str) -> World | None:
        rows = await self._fetch(schema.ONE_WORLD, world)
        return World(*rows[0]) if rows else None

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        if self._read_only:
            raise ReadOnly(f"{self.path} was opened for reading: open it for writing to append")
        return await self._off(self._writing, lambda: self._commit(batches))

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        sql = schema.BODIES_BACKWARD if backward else schema.BODIES_FORWARD
        return [body for (body,) in await self._fetch(sql, world, after, upto, limit)]

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        return await self._off(self._reading, lambda: self._pick(world, seqs))

    async def landmarks(self, world: str, upto: int) -> list[bytes]:
        return [body for (body,) in await self._fetch(schema.LANDMARKS, world, 0, upto)]

    async def keys(self, world: str) -> dict[str, int]:
        return dict(await self._fetch(schema.KEYS, world))

    async def records(self, world: str, after: int, upto: int, limit: int) -> list[Record]:
        rows = await self._fetch(schema.RECORDS, world, after, upto, limit)
        return [Record(*row) for row in rows]

    async def page(self, after: Position, limit: int) -> list[Arrival]:
        rows = await self._fetch(schema.PAGE, after[0] if after else 0, limit)
        return [Arrival((position,), world, Record(*rest)) for position, world, *rest in rows]

    async def check(self) -> list[str]:
        found = [line for (line,) in await self._fetch("PRAGMA integrity_check(20)")]
        return [] if found == ["ok"] else found

    async def _fetch(self, sql: str, *parameters: Any) -> list[Any]:
        return await self._off(
            self._reading, lambda: self._reader.execute(sql, parameters).fetchall()
        )

    async def _off(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        except connection.errors(self.driver) as error:
            raise connection.explained(error, self.path) from error

    def _open(self) -> None:
        try:
            if not self._read_only:
                self._open_for_writing()
            self._reader = connection.connect(self.path, self.driver, read_only=True)
            self._recognise(self._reader)
        except BaseException:
            self._lock.release()
            self._stop()
            raise

    def _open_for_writing(self) -> None:
        if not self.path.parent.is_dir():
            raise BadAddress(f"{self.path}: there is no folder {self.path.parent}")
        self._lock.take()
        self._writer = connection.connect(self.path, self.driver, read_only=False)
        tables = self._writer.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if not tables:
            self._writer.execute("PRAGMA page_size = 8192")
            self._writer.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        self._recognise(self._writer)
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute(f"PRAGMA synchronous = {self.durability}")
        for setting in schema.SETTINGS:
            self._writer.execute(setting)
        self._migrate()
        self._refresh()

    def _recognise(self, opened: Connection) -> None:
        application = opened.execute("PRAGMA application_id").fetchone()[0]
        if application != schema.APPLICATION_ID:
            tables = opened.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' LIMIT 5"
            ).fetchall()
            names = ", ".join(name for (name,) in tables) or "none"
            raise NotALog(f"{self.path} is an SQLite database of something else (tables: {names})")
        found = opened.execute("PRAGMA user_version").fetchone()[0]
        if found > schema.VERSION:
            raise NewerSchema(
                f"{self.path} has schema {found}; this Whoknew reads up to {schema.VERSION}: "
                "upgrade to open it"
            )

    def _migrate(self) -> None:
        done = self._writer.execute("PRAGMA user_version").fetchone()[0]
        for number, (_, statements) in enumerate(schema.STEPS[done:], start=done + 1):
            self._writer.execute("BEGIN IMMEDIATE")
            for statement in statements:
                self._writer.execute(statement)
            self._writer.execute(f"PRAGMA user_version = {number}")
            self._writer.execute("COMMIT")

    def _refresh(self) -> None:
        self._ids = dict(self._writer.execute(schema.WORLD_IDS).fetchall())
        self._position = self._writer.execute(schema.LAST_POSITION).fetchone()[0]

    def _commit(self, batches: Sequence[Batch]) -> list[bool]:
        ids: dict[str, int] = {}
        heads: dict[str, int] = {}
        position = self._position
        rows, worlds, outcome = [], [], []
        for batch in batches:
            head = heads[batch.world] if batch.world in heads else self._head(batch.world)
            matches = head == (None if batch.opens else batch.after)
            outcome.append(matches)
            if not matches:
                continue
            if new := batch.opens:
                ids[new.name] = len(self._ids) + len(ids) + 1
                worlds.append((ids[new.name], new.name, new.parent, new.forked_at))
            world = ids.get(batch.world) or self._ids[batch.world]
            for seq, digest, body, key, landmark in batch.records:
                position += 1
                rows.append((position, world, seq, digest, key, landmark, body))
            heads[batch.world] = batch.after + len(batch.records)
        self._write(worlds, rows)
        self._ids.update(ids)
        self._heads.update(heads)
        self._position = position
        return outcome

    def _head(self, world: str) -> int | None:
        if world not in self._heads and world in self._ids:
            self._heads[world] = self._writer.execute(schema.ONE_WORLD, (world,)).fetchone()[1]
        return self._heads.get(world)

    def _write(self, worlds: list[tuple[Any, ...]], rows: list[tuple[Any, ...]]) -> None:
        execute = self._writer.execute
        execute("BEGIN IMMEDIATE")
        try:
            for world in worlds:
                execute(schema.INSERT_WORLD, world)
            self._writer.executemany(schema.INSERT_EVENT, rows)
            execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        try:
            self._writer.execute("ROLLBACK")
        except connection.errors(self.driver):
            pass  # SQLite has rolled back by itself, as it does on a full disk

    def _pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        execute = self._reader.execute
        rows = (execute(schema.BODY_AT, (world, seq)).fetchone() for seq in seqs)
        return [row[0] for row in rows if row]

    def _stop(self) -> None:
        self._lock.release()
        self._writing.shutdown(wait=False)
        self._reading.shutdown(wait=False)
