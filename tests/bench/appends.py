"""Many tasks, each awaiting one durable append at a time: beside a bare grouped insert."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import bare
from figure import Figure, Reach
from session import Session, drivers
from story import lines, opening
from tasks import TASKS, Timed, appended, waited

from whoknew.eventlog import Log, exactly
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver, preferred
from whoknew.eventlog.stores.store import Durability

LINES = lines(2000)


def figures(session: Session) -> Iterator[Figure]:
    each = session.size(400, 10)
    for driver in drivers():
        yield _beside_bare(session, driver, "full", TASKS, each, Reach(0.75, "share"))
    yield _beside_bare(session, preferred(), "normal", TASKS, each)
    yield _beside_bare(session, preferred(), "full", 1, session.size(2000, 100))


def _beside_bare(
    session: Session,
    driver: Driver,
    durability: Durability,
    tasks: int,
    each: int,
    reach: Reach | None = None,
) -> Figure:
    pairs = session.interleaved(
        lambda: on_sqlite(session.file("ours.db"), tasks, each, driver, durability),
        lambda: asyncio.run(
            bare.on_sqlite(session.file("bare.db"), tasks, each, driver, durability)
        ),
    )
    return figure(
        f"{tasks} task{'s' * (tasks > 1)} appending, {durability.upper()}, {driver}",
        pairs,
        "grouped insert into one table, no follower, nothing checked",
        reach,
    )


def figure(name: str, pairs: list[tuple[Timed, Timed]], beside: str, reach: Reach | None) -> Figure:
    ours, limit = [one for one, _ in pairs], [one for _, one in pairs]
    return Figure(
        name,
        ours=[one.rate for one in ours],
        limit=[one.rate for one in limit],
        beside=beside,
        reach=reach,
        notes={"waited": waited(ours), "the limit": waited(limit)},
    )


def on_sqlite(
    path: Path,
    tasks: int = TASKS,
    each: int = 400,
    driver: Driver | None = None,
    durability: Durability = "full",
) -> Timed:
    store = SqliteStore(path, driver=driver, durability=durability)
    return asyncio.run(through(Log(store), tasks, each))


async def through(log: Log, tasks: int, each: int, *, held: bool = False) -> Timed:
    """Every guarantee on, and a live follower of all worlds, until it too has seen the last. Where
    the worlds are `held`, each append states its lease."""
    async with log:
        drafts = opening()
        if held and log.store.leases is not None:
            worlds = [f"world{task}" for task in range(tasks)]
            assert len(await log.store.leases.claim(worlds, "the bench", 3600, tasks)) == tasks
        await asyncio.gather(*(log.append(f"world{task}", drafts) for task in range(tasks)))
        following = _Following(log)
        await following.until(tasks * len(drafts))

        async def append(task: int, turn: int) -> None:
            draft = LINES[(task * 7 + turn) % len(LINES)].draft(turn)
            heads[task] = (
                await log.append(f"world{task}", [draft], expect=exactly(heads[task]))
            ).last

        heads = [len(drafts)] * tasks
        seen = following.until(tasks * (len(drafts) + each))
        timed = await appended(tasks, each, append, seen)
        await following.stop()
        return timed


class _Following:
    """One who follows all worlds and counts."""

    def __init__(self, log: Log) -> None:
        self._seen, self._wanted = 0, 0
        self._reached = asyncio.Event()
        self._task = asyncio.create_task(self._follow(log))

    async def until(self, count: int) -> None:
        self._wanted = count
        self._reached.clear()
        if self._seen < count:
            await self._reached.wait()

    async def stop(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _follow(self, log: Log) -> None:
        async for _ in log.follow_all():
            self._seen += 1
            if self._seen == self._wanted:
                self._reached.set()
