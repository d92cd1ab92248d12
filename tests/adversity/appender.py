"""A program that appends for as long as it lives, and says what it was told is written.

    python appender.py LOG DRIVER DURABILITY

Each line of its output is an acknowledged event: world, seq, text.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.store import Store

TASKS, WORLDS = 64, 16

Tell = Callable[[str, int, str], None]


async def append(store: Store, tell: Tell) -> None:
    """Append for ever, and tell of each event that was acknowledged."""
    async with Log(store) as log:
        if len(await log.worlds()) < WORLDS:
            opening = [Draft(WorldOpened(), datetime(1599, 6, 1)), Draft(CharacterAdded("Hamlet"))]
            there = {world.name for world in await log.worlds()}
            missing = {f"world {n}" for n in range(WORLDS)} - there
            await asyncio.gather(*(log.append(world, opening) for world in sorted(missing)))
        await asyncio.gather(*(_live(log, task, tell) for task in range(TASKS)))


async def _live(log: Log, task: int, tell: Tell) -> None:
    world = f"world {task % WORLDS}"
    for turn in range(1_000_000):
        text = f"{os.getpid()}.{task}.{turn}"
        speech = Draft(Acted(text), turn=turn, actor="Hamlet", witnesses=("Hamlet",))
        appended = await log.append(world, [speech] * (1 + turn % 3))
        for seq in range(appended.first, appended.last + 1):
            tell(world, seq, text)


def store_at(address: str, driver: Any, durability: Any) -> Store:
    if address.startswith("postgresql:"):
        from whoknew.eventlog.stores.postgres import PostgresStore

        return PostgresStore(address)
    return SqliteStore(Path(address), driver=driver, durability=durability)


def _print(world: str, seq: int, text: str) -> None:
    os.write(1, f"{world}\t{seq}\t{text}\n".encode())


if __name__ == "__main__":
    asyncio.run(append(store_at(*sys.argv[1:]), _print))
