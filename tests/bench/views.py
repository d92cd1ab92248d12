"""What a character can know at a random cursor, in a world of a million events."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

from figure import Figure, Reach, percentile
from peer import run
from session import Session
from story import CROWD, lines, opening

from whoknew.eventlog import Cursor, Log
from whoknew.eventlog.stores.sqlite import SqliteStore

BATCH = 1000

FILE = "views.db"


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(1_000_000, 10_000)
    yield from _live(session, count)
    yield from _cold(session, count)
    yield _held(session)


def _live(session: Session, count: int) -> Iterator[Figure]:
    """In the process that wrote the world, which has all of it at hand."""
    lives = session.in_turn(lambda: asyncio.run(_lived(session, count)), runs=3)[0]
    yield Figure("fill a world, 1,000 events a call, NORMAL", ours=[rate for rate, _ in lives])
    runs = [waits for _, waits in lives]
    yield _figure(f"last 200 of {count:,}, live, p50", runs, 0.5, 0.15)
    yield _figure(f"last 200 of {count:,}, live, p99", runs, 0.99, 0.5)


def _cold(session: Session, count: int) -> Iterator[Figure]:
    """In one that opened its log, which reads what it shows."""
    path = session.folder / FILE
    touches = session.in_turn(lambda: asyncio.run(_touched(path)), runs=3)[0]
    yield Figure(f"first touch of {count:,} events", "s", ours=touches)
    runs = asyncio.run(_rounds(session, path, count))
    yield _figure(f"last 200 of {count:,}, cold, p50", runs, 0.5, 1.0)
    yield _figure(f"last 200 of {count:,}, cold, p99", runs, 0.99)


def _held(session: Session) -> Figure:
    count = session.size(200_000, 10_000)
    program = Path(__file__).with_name("holder.py")

    def held() -> float:
        return float(run([sys.executable, program, session.file("held.db"), count]))

    return Figure(
        "memory an event at hand takes",
        "B",
        session.in_turn(held, runs=3)[0],
        notes={"how": f"a process of its own with {count:,} events, no two with the same text"},
    )


def _figure(name: str, runs: list[list[float]], share: float, most: float | None = None) -> Figure:
    return Figure(
        name,
        "ms",
        ours=[percentile(waits, share) * 1e3 for waits in runs],
        reach=Reach(most, "most") if most else None,
    )


async def _lived(session: Session, count: int) -> tuple[float, list[float]]:
    """How many events a second went in, and how long views took after."""
    path = session.file(FILE)
    async with Log(SqliteStore(path, durability="normal"), keep_events=2 * count) as log:
        began = perf_counter()
        await _fill(log, count)
        took = perf_counter() - began
        await _round(log, count, 100, seed=0)
        return count / took, await _round(log, count, session.size(2000, 100), seed=1)


async def _touched(path: Path) -> float:
    """How long the first view takes."""
    async with Log(SqliteStore(path)) as log:
        began = perf_counter()
        await log.view("world", CROWD[0], "end")
        return perf_counter() - began


async def _rounds(session: Session, path: Path, count: int) -> list[list[float]]:
    views = session.size(2000, 100)
    async with Log(SqliteStore(path)) as log:
        await _round(log, count, 100, seed=0)
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
