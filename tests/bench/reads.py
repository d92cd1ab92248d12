"""Reading a log from its start, decoded to events: beside raw pages and the same decoder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from figure import Figure, Reach
from session import Session, drivers
from story import lines, opening

from whoknew.eventlog import Event, Log
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver

PAGE = 1000

ONE_WORLD = """
SELECT seq, body FROM events WHERE world = 1 AND seq > ? ORDER BY seq LIMIT 1000
"""

ALL_WORLDS = "SELECT position, body FROM events WHERE position > ? ORDER BY position LIMIT 1000"

decode = msgspec.json.Decoder(Event).decode


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(200_000, 5_000)
    path = filled(session, count)
    for driver in drivers():
        yield _beside_raw(session, f"one world of {count:,}", one_world, ONE_WORLD, path, driver)
        yield _beside_raw(session, f"all worlds, {count:,}", all_worlds, ALL_WORLDS, path, driver)


def _beside_raw(
    session: Session,
    what: str,
    ours: Callable[[Path, Driver], float],
    sql: str,
    path: Path,
    driver: Driver,
) -> Figure:
    pairs = session.interleaved(lambda: ours(path, driver), lambda: raw(path, driver, sql))
    return Figure(
        f"read {what}, decoded, {driver}",
        ours=[one for one, _ in pairs],
        limit=[one for _, one in pairs],
        beside="SELECT seq, body in pages of 1,000, decoded into the same struct",
        reach=Reach(0.8, "share"),
    )


def filled(session: Session, count: int) -> Path:
    """A log of one world that has so many events."""
    path = session.file("read.db")
    asyncio.run(_fill(path, count))
    return path


async def _fill(path: Path, count: int) -> None:
    some = lines(2000)
    async with Log(SqliteStore(path, durability="normal")) as log:
        last = (await log.append("world", opening())).last
        while last < count:
            turns = range(last, min(last + PAGE, count))
            drafts = [some[turn % len(some)].draft(turn) for turn in turns]
            last = (await log.append("world", drafts)).last


def one_world(path: Path, driver: Driver | None = None) -> float:
    return asyncio.run(_one_world(path, driver))


async def _one_world(path: Path, driver: Driver | None) -> float:
    """By a log just opened, which has nothing in memory."""
    async with Log(SqliteStore(path, driver=driver)) as log:
        count, began = 0, perf_counter()
        async for _ in log.read("world"):
            count += 1
        return count / (perf_counter() - began)


def all_worlds(path: Path, driver: Driver) -> float:
    return asyncio.run(_all_worlds(path, driver))


async def _all_worlds(path: Path, driver: Driver) -> float:
    async with Log(SqliteStore(path, driver=driver)) as log:
        count, began = 0, perf_counter()
        async for _ in log.read_all():
            count += 1
        return count / (perf_counter() - began)


def raw(path: Path, driver: Driver, sql: str) -> float:
    reader: Any = sqlite_connection.connect(path, driver, read_only=True)
    after, count, began = 0, 0, perf_counter()
    while rows := reader.execute(sql, (after,)).fetchall():
        for _, body in rows:
            decode(body)
        count += len(rows)
        after = rows[-1][0]
    took = perf_counter() - began
    reader.close()
    return count / took
