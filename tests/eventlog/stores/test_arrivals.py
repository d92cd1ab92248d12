"""What arrived on PostgreSQL is read from its index, page by page, however much comes after."""

from __future__ import annotations

import pytest

from whoknew.eventlog import open_log

asyncpg = pytest.importorskip("asyncpg")

from whoknew.eventlog.stores import postgres_schema as schema


@pytest.mark.parametrize("statement", [schema.ARRIVALS, schema.PAGE, schema.WAITING])
async def test_a_page_of_arrivals_sorts_nothing(database: str, statement: str) -> None:
    async with open_log(database):
        pass
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("SET enable_sort = off")  # there is one where there must be
        after = ["'7'", "1", "1", "1000", "16777216"][: statement.count("$")]
        for number, value in enumerate(after, 1):
            statement = statement.replace(f"${number}", value)
        plan = [row[0] for row in await connection.fetch(f"EXPLAIN {statement}")]
    finally:
        await connection.close()
    assert not any("Sort" in line for line in plan), "\n".join(plan)
