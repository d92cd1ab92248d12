"""A disk that is full, or fails, at any write: what was acknowledged is there, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import apsw
import pytest
from adversity.attack import Attack, Ground, Strike
from adversity.failing_disk import Disk, failing_disk
from adversity.written import Acknowledged, texts
from small_worlds import opened, said

from whoknew.eventlog import Log
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.stores.sqlite import SqliteStore

LIVES = 3


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with pytest.MonkeyPatch.context() as patch, failing_disk(patch) as disk:

        def strike(chance: Random) -> None:
            with ground.fresh() as folder:
                asyncio.run(_failed(folder / "log.db", disk, chance))

        yield strike


ATTACK = Attack(setup=setup, short=15)


async def _failed(file: Path, disk: Disk, chance: Random) -> None:
    acknowledged: Acknowledged = {}
    for life in range(LIVES):
        disk.error = chance.choice((apsw.SQLITE_FULL, apsw.SQLITE_IOERR_WRITE))
        disk.syncs_too = chance.random() < 0.5
        disk.left = chance.choice((None, chance.randrange(60)))
        try:
            async with _at(file) as log:
                await _append(log, life, disk, chance, acknowledged)
        except StoreUnavailable:
            pass  # it was full before the log was open
        disk.left = None
    async with _at(file) as log:
        found = await texts(log)
        heard = {place: text for place, text in found.items() if text in acknowledged.values()}
        assert heard == acknowledged
        assert len(found) - len(heard) in (0, 2)  # how the world opens


def _at(file: Path) -> Log:
    return Log(SqliteStore(file, driver="apsw"))


async def _append(
    log: Log, life: int, disk: Disk, chance: Random, acknowledged: Acknowledged
) -> None:
    if not await log.worlds():
        await log.append("w", opened("Hamlet"))
    for turn in range(chance.randrange(12)):
        text = f"{life}.{turn}{'x' * chance.choice((1, 5000, 50_000))}"
        batch = [said("Hamlet", f"{text}.{n}") for n in range(chance.randint(1, 4))]
        try:
            appended = await log.append("w", batch)
        except StoreUnavailable:
            if chance.random() < 0.7:
                disk.left = chance.choice((None, chance.randrange(40)))
            continue
        for number, seq in enumerate(range(appended.first, appended.last + 1)):
            acknowledged["w", seq] = f"{text}.{number}"
