"""PostgreSQL: transactions that others leave open, and databases with settings of their own."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from postgres_server import Cluster
from small_worlds import narrated, opened, said
from structlog.testing import capture_logs
from waiting import PATIENCE

from whoknew.engine.logs.backup import write_backup
from whoknew.engine.logs.export import write_export
from whoknew.eventlog import Log, exactly, open_log, verify
from whoknew.eventlog.errors import NewerSchema

asyncpg = pytest.importorskip("asyncpg")

from whoknew.eventlog.stores.postgres import PostgresStore


@pytest.fixture
async def elsewhere(postgres: Cluster) -> AsyncIterator[Any]:
    """A transaction with an id, open in another database of the same server."""
    with postgres.database() as url:
        stranger = await asyncpg.connect(url)
        await stranger.execute("BEGIN")
        await stranger.fetch("SELECT pg_current_xact_id()")
        yield stranger
        await stranger.close()


async def written_beside(url: str, stranger: Any) -> None:
    """Two worlds and forks between them, all of it after the stranger began."""
    async with Log(PostgresStore(url)) as log:
        await log.append("w", opened("Hamlet"))
        await log.append("w", narrated(10))
        await log.fork("w", "what-if", "#5")
        await log.append("what-if", [said("Hamlet", "No.")])
        await log.fork("what-if", "deeper")
        await log.append("w", narrated(3))


async def test_a_backup_holds_what_was_acknowledged_while_a_transaction_is_open(
    database: str, elsewhere: Any, tmp_path: Path
) -> None:
    await written_beside(database, elsewhere)
    copied = await write_backup(database, tmp_path / "copy.db")
    async with open_log(database) as log, open_log(tmp_path / "copy.db") as copy:
        assert copied.events == 15 + 2 + 1
        assert (found := await verify(copy)).faults == ()
        assert found.events == copied.events
        assert {one.name: one for one in await copy.worlds()} == {
            one.name: one for one in await log.worlds()
        }


async def test_an_export_holds_what_was_acknowledged_while_a_transaction_is_open(
    database: str, elsewhere: Any, tmp_path: Path
) -> None:
    await written_beside(database, elsewhere)
    copied = await write_export(database, tmp_path / "log.jsonl.gz")
    with gzip.open(tmp_path / "log.jsonl.gz") as file:
        assert len(file.readlines()) == 1 + 18 == 1 + (copied.events or 0)


async def test_what_is_half_settled_is_exported_in_an_order_that_can_be_imported(
    database: str, postgres: Cluster, tmp_path: Path
) -> None:
    async with Log(PostgresStore(database)) as log:
        await log.append("w", opened("Hamlet"))
        stranger = await asyncpg.connect(database)
        await stranger.execute("BEGIN")
        await stranger.fetch("SELECT pg_current_xact_id()")
    await written_beside_again(database)
    await write_export(database, tmp_path / "log.jsonl")
    await stranger.close()
    async with open_log(":memory:") as other, open_log(database) as log:
        from whoknew.eventlog import import_log

        await import_log(other, tmp_path / "log.jsonl")
        for world in await log.worlds():
            assert await other.head(world.name) == await log.head(world.name)


async def written_beside_again(url: str) -> None:
    async with Log(PostgresStore(url)) as log:
        await log.append("w", narrated(3))
        await log.fork("w", "f", "#4")


async def test_followers_that_wait_for_an_open_transaction_say_for_which(
    database: str, elsewhere: Any
) -> None:
    pid = await elsewhere.fetchval("SELECT pg_backend_pid()")
    async with Log(PostgresStore(database, stalled=0.0)) as log:
        with capture_logs() as logs:
            await log.append("w", opened("Hamlet"))
            assert [placed async for placed in log.read_all()] == []
            assert [placed async for placed in log.read_all()] == []
        [warning] = logs
        assert warning["event"] == "postgres.stalled"
        assert warning["holder"] == f"pid {pid}"
        assert warning["database"] == await elsewhere.fetchval("SELECT current_database()")
        assert warning["since"]
        await elsewhere.execute("COMMIT")
        async with asyncio.timeout(PATIENCE), aclosing(log.follow_all()) as placed:  # type: ignore[type-var]
            assert (await anext(placed)).event.seq == 1


async def test_followers_with_nothing_to_wait_for_say_nothing(database: str) -> None:
    async with Log(PostgresStore(database, stalled=0.0)) as log:
        await log.append("w", opened("Hamlet"))
        with capture_logs() as logs:
            assert len([placed async for placed in log.read_all()]) == 2
        assert logs == []


@pytest.mark.parametrize("level", ["serializable", "repeatable read"])
async def test_a_database_that_defaults_to_another_isolation_takes_every_append(
    postgres: Cluster, database: str, level: str
) -> None:
    name = database.partition("@/")[2].partition("?")[0]
    postgres.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'")
    async with Log(PostgresStore(database)) as one, Log(PostgresStore(database)) as two:
        await one.append("w", opened("Hamlet"))

        async def live(log: Log, task: int) -> None:
            for turn in range(25):
                await log.append("w", [said("Hamlet", f"{task}.{turn}")])
                await log.append(f"{id(log)}.{task}.{turn}", opened("Hamlet"))

        await asyncio.gather(*(live(log, task) for log in (one, two) for task in range(8)))
        head = (await one.head("w")).seq
        assert head == 2 + 2 * 8 * 25
        await two.append("w", [said("Hamlet", "last")], expect=exactly(head))
        assert (await verify(one)).faults == ()


async def test_a_refused_database_leaves_no_connection_open(
    postgres: Cluster, database: str
) -> None:
    async with Log(PostgresStore(database)):
        pass
    name = database.partition("@/")[2].partition("?")[0]
    postgres.execute("INSERT INTO whoknew.steps VALUES (99, 'later')", database=name)
    store = PostgresStore(database, read_only=True)
    with pytest.raises(NewerSchema):
        await store.open(lambda: None)
    assert store._pool is None
