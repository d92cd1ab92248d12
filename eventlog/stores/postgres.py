"""The store on PostgreSQL, shared by any number of processes.

Each process groups its commits through one connection; another listens for the others', and a few
more read. A connection that breaks in the middle of a commit leaves its outcome open: so the
commit is made again as it was, and what finds itself written already, hash for hash, went in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import nullcontext, suppress
from typing import Any, TypeVar

import asyncpg
import tenacity

from whoknew.eventlog.errors import (
    BadAddress,
    NewerSchema,
    NotBegun,
    OutcomeUnknown,
    OutOfSpace,
    ReadOnly,
    StoreUnavailable,
)
from whoknew.eventlog.logger import logger
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores import postgres_schema as schema
from whoknew.eventlog.stores.leases import Holding, Leases
from whoknew.eventlog.stores.patience import Patience, is_patient
from whoknew.eventlog.stores.postgres_rounds import in_columns, moved_head, rounds_of
from whoknew.eventlog.stores.postgres_stall import Stall
from whoknew.eventlog.stores.store import (
    BEHIND,
    PORTION,
    Arrival,
    Batch,
    Position,
    Record,
    Segment,
    StoreFacts,
    World,
)

T = TypeVar("T")

LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    OSError,
    TimeoutError,
)
"""What may be over by itself soon: the same is tried again, for as long as patience lasts."""

EACH, LONGEST = 5e-5, 0.02
"""Seconds for which a commit waits for others, for each lease that is held, and at most: of the two seconds
that a model takes one in a hundred."""


class PostgresStore:
    commit_now = None

    def __init__(
        self, url: str, *, read_only: bool = False, patience: float = 30.0, stalled: float = 10.0
    ) -> None:
        self.poll: float | None = 0.5
        """Notifications come sooner; this is for those that a broken connection swallowed."""
        self.counted: int | None = None
        self._url, self._read_only = url, read_only
        self._patience = Patience(patience)
        self._where = without_password(url)
        self._stall = Stall(self._where, self._fetch, stalled)
        self._in_doubt = False
        self._leases = Leases(self._fetch, self._patience)
        self._writer: Any = None
        self._pool: Any = None
        self._listening: asyncio.Task[None] | None = None
        self._stirred = asyncio.Event()
        self._closing = False

    @property
    def leases(self) -> Leases | None:
        return self._leases

    @property
    def pace(self) -> float:
        """Many who play wait a little for each other: the database is shared, and a commit costs it as much
        as eight batches in it."""
        return min(LONGEST, EACH * len(self._leases.epochs))

    async def open(self, news: Callable[[], None]) -> None:
        try:
            self._pool = await asyncpg.create_pool(
                self._url,
                min_size=0,  # a pool that keeps some open tells of a restart in tracebacks of its own
                max_size=4,
                command_timeout=60,
                server_settings=schema.SESSION,
                reset=schema.reset_nothing,
            )
            await (self._patiently(self._begin) if is_patient() else self._begin())
        except (*LOST, ValueError, asyncpg.PostgresError) as error:
            await self._close_pool()
            raise BadAddress(f"{self._where}: cannot be opened: {_said(error)}") from error
        except BaseException:
            await self._close_pool()
            raise
        self._listening = asyncio.create_task(self._listen(news), name="whoknew-listen")

    async def close(self) -> None:
        self._closing = True
        self._stirred.set()
        try:
            if self._listening:
                await self._listening
        finally:
            await self._close_pool()
            if self._writer:
                await _hang_up(self._writer)

    async def worlds(self) -> list[World]:
        return [World(*row) for row in await self._fetch(schema.WORLDS)]

    async def find(self, world: str) -> World | None:
        rows = await self._fetch(schema.ONE_WORLD, world)
        return World(*rows[0]) if rows else None

    async def found(self, names: Collection[str]) -> list[World]:
        return [World(*row) for row in await self._fetch(schema.SOME_WORLDS, [*names])]

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        if self._read_only:
            raise ReadOnly(f"{self._where} was opened for reading: open it for writing to append")
        self._in_doubt = False
        try:
            return await self._patiently(self._commit_or_hang_up, batches, writing=True)
        except LOST as error:
            raise self._given_up(error) from error
        except asyncpg.ReadOnlySQLTransactionError as error:
            raise ReadOnly(
                f"{self._where} takes no writing ({_said(error)}): name the server that does"
            ) from error
        except asyncpg.DiskFullError as error:
            raise OutOfSpace(
                f"{self._where}: the server's disk is full: nothing of what was being written is "
                "on the log; make room there, then do the same again"
            ) from error
        except asyncpg.PostgresError as error:
            raise StoreUnavailable(f"{self._where}: nothing was written: {_said(error)}") from error

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        sql = schema.BODIES_BACKWARD if backward else schema.BODIES_FORWARD
        return [row[0] for row in await self._portion(sql, world, after, upto, limit)]

    async def read_several(self, segments: Sequence[Segment]) -> list[bytes]:
        columns = in_columns(segments) or [[], [], []]
        return [row[0] for row in await self._fetch(schema.BODIES_OF_SEVERAL, *columns)]

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        return [row[0] for row in await self._fetch(schema.PICK, world, list(seqs))]

    async def landmarks(self, world: str, after: int, upto: int) -> list[bytes]:
        return [row[0] for row in await self._fetch(schema.LANDMARKS, world, after, upto)]

    async def tellings(self, world: str, after: int, upto: int, limit: int) -> list[bytes]:
        return [row[0] for row in await self._fetch(schema.TELLINGS, world, after, upto, limit)]

    async def keys(self, world: str, begins: str = "", after: int = 0) -> dict[str, int]:
        return dict(await self._fetch(schema.KEYS, world, begins, begins + BEHIND, after))

    async def records(self, world: str, after: int, upto: int, limit: int) -> list[Record]:
        rows = await self._portion(schema.RECORDS, world, after, upto, limit)
        return [Record(*row) for row in rows]

    async def arrivals(self, after: Position, limit: int) -> list[tuple[Position, bytes]]:
        xid, world, seq = after or (0, 0, 0)
        rows = await self._portion(schema.ARRIVALS, str(xid), world, seq, limit)
        if not rows:
            await self._stall.look((xid, world, seq))
        return [((xid, world, seq), body) for xid, world, seq, body in rows]

    async def page(self, after: Position, limit: int) -> list[Arrival]:
        xid, world, seq = after or (0, 0, 0)
        rows = await self._portion(schema.PAGE, str(xid), world, seq, limit)
        return [
            Arrival((xid, world, seq), name, Record(seq, *rest))
            for xid, world, seq, name, *rest in rows
        ]

    async def facts(self) -> StoreFacts:
        version, size = (await self._fetch(schema.SIZE))[0]
        ((done,),) = await self._fetch(schema.DONE)
        return StoreFacts("PostgreSQL database", f"PostgreSQL {version}", done, "full", size)

    async def check(self) -> list[str]:
        return []

    async def _commit_or_hang_up(self, batches: Sequence[Batch]) -> list[bool]:
        """A connection that failed in the middle is not used again."""
        try:
            return await self._commit(batches)
        except BaseException:
            if self._writer:
                self._writer.terminate()
                self._writer = None
            raise

    async def _commit(self, batches: Sequence[Batch]) -> list[bool]:
        writer = await self._connected()
        again = self._in_doubt
        rounds = rounds_of(batches)
        self._in_doubt = True
        written: set[Batch] = set()
        async with writer.transaction() if len(rounds) > 1 else nullcontext():
            for group in rounds:
                moved = await self._move(group)
                written.update(one for run in group if run[0].world in moved for one in run)
        refused = [one for one in batches if one not in written]
        if refused and again:
            written |= await self._written_before(refused)
        return [one in written for one in batches]

    async def _move(self, runs: Sequence[Sequence[Batch]]) -> set[str]:
        """Write each run whose world's head is where the run starts, or which opens its world, where
        no lease that it states is another's; the names of those worlds."""
        if not runs:
            return set()
        heads = [moved_head(run[0], run[-1].records[-1].seq) for run in runs]
        stated = [(run[0].world, one.lease, one.epoch) for run in runs for one in self._stated(run)]
        records = [
            (batch.world, record.seq, record.hash, record.key, record.landmark, record.body)
            for run in runs
            for batch in run
            for record in batch.records
        ]
        leases = in_columns(stated) or [[], [], []]
        columns = *in_columns(heads), *leases, *in_columns(records)
        moved = await self._writer.fetchval(schema.COMMIT, *columns)
        return set(moved or ())

    def _stated(self, run: Sequence[Batch]) -> set[Holding]:
        """The leases by which it goes in: that of its world, where this process holds it, and those that
        its batches are under."""
        under = {self._leases.holding(run[0].world), *(batch.under for batch in run)}
        return {one for one in under if one is not None}

    async def _written_before(self, refused: Sequence[Batch]) -> set[Batch]:
        """Those that an attempt had written after all, whose connection broke before it said so."""
        rows = [(one.world, one.records[-1].seq) for one in refused]
        found = await self._writer.fetch(schema.HASHES, *in_columns(rows))
        hashes = {(name, seq): digest for name, seq, digest in found}
        return {
            one
            for one in refused
            if hashes.get((one.world, one.records[-1].seq)) == one.records[-1].hash
        }

    async def _connected(self) -> Any:
        if self._writer is None or self._writer.is_closed():
            self._writer = await asyncpg.connect(
                self._url, command_timeout=60, server_settings=schema.SESSION
            )
            if await self._writer.fetchval("SHOW synchronous_commit") == "off":
                await self._writer.execute("SET synchronous_commit = on")
        return self._writer

    def _given_up(self, error: Exception) -> StoreUnavailable:
        if not self._in_doubt:
            return StoreUnavailable(
                f"{self._where}: cannot be reached: nothing was written: {_said(error)}"
            )
        return OutcomeUnknown(
            f"{self._where}: the connection broke while an append was written and did not come back "
            f"in time ({_said(error)}): it may be in the log or not; read the head, or append the same "
            "batch again under its key"
        )

    async def _portion(self, sql: str, *parameters: Any) -> list[Any]:
        return await self._fetch(sql, *parameters, PORTION)

    async def _fetch(self, sql: str, *parameters: Any) -> list[Any]:
        try:
            return await self._patiently(self._pool.fetch, sql, *parameters)
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreUnavailable(f"{self._where}: cannot be read: {_said(error)}") from error

    async def _patiently(
        self, work: Callable[..., Awaitable[T]], *arguments: Any, writing: bool = False
    ) -> T:
        """Do it, and again where the connection was lost, for as long as patience lasts: that is prepared for
        only where it happens, for else it takes 3 % of a turn."""
        try:
            return await work(*arguments)
        except LOST as error:
            if not _passing(error):
                raise
            self._say_lost(error, writing=writing)

        def is_over(state: tenacity.RetryCallState) -> bool:
            return self._patience.is_over(state.seconds_since_start or 0, writing=writing)

        def say_lost(state: tenacity.RetryCallState) -> None:
            if state.outcome and (error := state.outcome.exception()):
                self._say_lost(error, writing=writing)

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(_passing),
            stop=is_over,
            wait=tenacity.wait_random_exponential(multiplier=0.02, max=2),
            before_sleep=say_lost,
            reraise=True,
        )
        done: T = await retrying(work, *arguments)
        return done

    def _say_lost(self, error: BaseException, *, writing: bool) -> None:
        if self._patience.is_news():
            tried_for = self._patience.told(writing=writing)
            logger().warning(
                "postgres.lost", where=self._where, why=_said(error), tried_for=tried_for
            )

    async def _listen(self, news: Callable[[], None]) -> None:
        """Hear of the commits of other processes, for ever; again after each lost connection."""

        def notified(_: object, sender: int, *rest: object) -> None:
            if self._writer is None or sender != self._writer.get_server_pid():
                news()

        while not self._closing:
            with suppress(*LOST, asyncpg.PostgresError):
                connection = await asyncpg.connect(self._url, timeout=5)
                try:
                    connection.add_termination_listener(lambda _: self._stirred.set())
                    await connection.add_listener(schema.CHANNEL, notified)
                    news()  # of what came while nobody listened
                    await self._stirred.wait()
                finally:
                    await _hang_up(connection)
            if not self._closing:
                self._stirred.clear()
                await asyncio.sleep(0.2)

    async def _begin(self) -> None:
        async with self._pool.acquire() as connection:
            if not self._read_only:
                await _migrate(connection)
            await self._recognise(connection)

    async def _recognise(self, connection: Any) -> None:
        if not await connection.fetchval(schema.PRESENT):
            raise NotBegun(
                f"{self._where} holds no log yet: open it for writing to begin one, as `whoknew run` "
                "and `whoknew exam run` do"
            )
        found = await connection.fetchval(schema.DONE)
        if found > schema.VERSION:
            raise NewerSchema(
                f"{self._where} has schema {found}; this Whoknew reads up to {schema.VERSION}: "
                "upgrade to open it"
            )

    async def _close_pool(self) -> None:
        if self._pool:
            self._pool.terminate()
            self._pool = None


async def _migrate(connection: Any) -> None:
    async with connection.transaction():
        await connection.execute(schema.PREPARE)
        done = await connection.fetchval(schema.DONE)
        for number, (name, statements) in enumerate(schema.STEPS[done:], start=done + 1):
            await connection.execute(statements)
            await connection.execute(schema.INSERT_STEP, number, name)


def _passing(error: BaseException) -> bool:
    # asyncpg calls a value that it cannot send an InterfaceError too; that will not pass.
    return isinstance(error, LOST) and not isinstance(error, ValueError)


async def _hang_up(connection: Any) -> None:
    with suppress(*LOST, asyncpg.PostgresError):
        await connection.close(timeout=2)


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
