"""What a character can know at a random cursor, in a world of a million events."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

from figure import Figure, Reach, percentile
from session import Session
from story import CROWD, lines, opening

from whoknew.eventlog import Cursor, Log
from whoknew.eventlog.stores.sqlite import SqliteStore

BATCH = 1000


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(1_000_000, 10_000)
    path = session.file("views.db")
    yield from asyncio.run(_live(session, path, count))
    yield from asyncio.run(_cold(session, path, count))


async def _live(session: Session, path: Path, count: int) -> list[Figure]:
    before = _resident()
    store = SqliteStore(path, durability="normal")
    async with Log(store, keep_events=2 * count) as log:
        began = perf_counter()
        await _fill(log, count)
        took = perf_counter() - began
        size = (_resident() - before) / count
        runs = await _rounds(session, log, count)
    return [
        Figure("fill a world, 1,000 events a call, NORMAL", ours=[count / took]),
        Figure("memory an event at hand takes", "B", ours=[size]),
        _figure(f"last 200 of {count:,}, live, p50", runs, 0.5, 0.15),
        _figure(f"last 200 of {count:,}, live, p99", runs, 0.99, 0.5),
    ]


async def _cold(session: Session, path: Path, count: int) -> list[Figure]:
    async with Log(SqliteStore(path)) as log:
        began = perf_counter()
        await log.view("world", CROWD[0], "end")
        touch = perf_counter() - began
        runs = await _rounds(session, log, count)
    return [
        Figure(f"first touch of {count:,} events", "s", ours=[touch]),
        _figure(f"last 200 of {count:,}, cold, p50", runs, 0.5, 1.0),
        _figure(f"last 200 of {count:,}, cold, p99", runs, 0.99),
    ]


def _figure(name: str, runs: list[list[float]], share: float, most: float | None = None) -> Figure:
    return Figure(
        name,
        "ms",
        ours=[percentile(waits, share) * 1e3 for waits in runs],
        reach=Reach(most, "most") if most else None,
    )


async def _rounds(session: Session, log: Log, count: int) -> list[list[float]]:
    await _round(log, count, 100, seed=0)
    views = session.size(2000, 100)
    return [await _round(log, count, views, seed) for seed in range(1, session.runs + 1)]


async def _round(log: Log, count: int, views: int, seed: int) -> list[float]:
    """How long each of so many views took, its last 200 events at hand."""
    random = Random(seed)
    waits = []
    for _ in range(views):
        name, cursor = random.choice(CROWD), Cursor("world", random.randint(len(CROWD) + 1, count))
        began = perf_counter()
        view = await log.view("world", name, cursor)
        await view.last(200)
        waits.append(perf_counter() - began)
    return waits


async def _fill(log: Log, count: int) -> None:
    some = lines(100_000, CROWD, witnesses=3)
    last = (await log.append("world", opening(CROWD))).last
    while last < count:
        turns = range(last, min(last + BATCH, count))
        last = (
            await log.append("world", [some[turn % len(some)].draft(turn) for turn in turns])
        ).last


def _resident() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
