"""How many bytes an event takes on disk, chain and index included."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from figure import Figure, Reach
from session import Session
from story import lines, opening

from whoknew.eventlog import Log
from whoknew.eventlog.stores.sqlite import SqliteStore

WORLDS = 50


def figures(session: Session) -> Iterator[Figure]:
    path = session.file("size.db")
    asyncio.run(_fill(path, session.size(200_000, 5_000)))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count, length = connection.execute(
            "SELECT count(*), avg(length(CAST(body AS BLOB))) FROM events"
        ).fetchone()
    size = path.stat().st_size / count
    yield Figure(
        f"an event on disk, one of {count:,} in {WORLDS} worlds",
        "B",
        ours=[size],
        reach=Reach(400, "most"),
        notes={"its JSON": f"{length:.0f} B", "around it": f"{size - length:.0f} B"},
    )


async def _fill(path: Path, count: int) -> None:
    """Worlds that take turns, ten events at a time."""
    some = lines(2000)
    async with Log(SqliteStore(path, durability="normal")) as log:
        for world in range(WORLDS):
            await log.append(f"world{world}", opening())
        for turn in range(0, count // WORLDS, 10):
            for world in range(WORLDS):
                numbers = range(turn, turn + 10)
                drafts = [some[(world * 7 + one) % len(some)].draft(one) for one in numbers]
                await log.append(f"world{world}", drafts)
