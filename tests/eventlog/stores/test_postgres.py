"""The store on PostgreSQL lets go of its server, whatever goes wrong."""

from __future__ import annotations

import asyncio

import pytest
from waiting import OFTEN, PATIENCE

from whoknew.eventlog.chain import GENESIS
from whoknew.eventlog.stores.store import Batch, Record, World

asyncpg = pytest.importorskip("asyncpg")

from whoknew.eventlog.stores.postgres import PostgresStore

OTHERS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def test_a_listener_that_failed_leaves_no_connection_open(database: str) -> None:
    def fail() -> None:
        raise MemoryError

    store = PostgresStore(database)
    await store.open(fail)
    await store.commit([Batch("w", 0, [Record(1, GENESIS, b"{}")], World("w", 0))])
    with pytest.raises(MemoryError):
        await store.close()
    looking = await asyncpg.connect(database)
    try:
        async with asyncio.timeout(PATIENCE):
            while await looking.fetchval(OTHERS):  # noqa: ASYNC110  (the server calls nobody)
                await asyncio.sleep(OFTEN)
    finally:
        await looking.close()
