"""The view for people says the same of a log, whichever database it is in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from small_worlds import opened, said

from whoknew.eventlog import import_log, open_log

STORED = Path(__file__).parents[2] / "stored" / "v1.jsonl"

COLUMNS = "world, seq, at, recorded, episode, turn, actor, kind, place, text, cause, hash"


async def test_the_readable_view_is_the_same_in_sqlite_and_in_postgresql(
    tmp_path: Path, database: str
) -> None:
    asyncpg = pytest.importorskip("asyncpg")
    for address in (tmp_path / "log.db", database):
        async with open_log(address) as log:
            await import_log(log, STORED)
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        rows: list[Any] = connection.execute(
            f"SELECT {COLUMNS} FROM readable ORDER BY world, seq"
        ).fetchall()
    connection = await asyncpg.connect(database)
    try:
        theirs = await connection.fetch(
            f"SELECT {COLUMNS} FROM whoknew.readable ORDER BY world, seq"
        )
    finally:
        await connection.close()
    assert [tuple(row) for row in theirs] == rows
    texts = {kind: text for *_, kind, _, text, _, _ in rows}
    assert texts["world.relation"] == "Ødön to 世界 🦉: friend"
    assert texts["world.place"] == "the battlements. High and cold."
    assert texts["machinery.failed"] == "no reply"
    assert texts["world.forked"] == "elsinore #11"


async def test_a_text_that_holds_a_null_hides_no_other_in_postgresql(database: str) -> None:
    asyncpg = pytest.importorskip("asyncpg")
    async with open_log(database) as log:
        await log.append("w", [*opened("A\0B"), said("A\0B", "before\0 after")])
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch("SELECT actor, text FROM whoknew.readable ORDER BY seq")
    finally:
        await connection.close()
    assert tuple(rows[-1]) == ("A\ufffdB", "before\ufffd after")
