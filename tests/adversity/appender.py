"""A program that appends for as long as it lives, and says what it was told is written.

    python appender.py FILE DRIVER DURABILITY

Each line of its output is an acknowledged event: world, seq, text.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import cast

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.eventlog.stores.connection import Driver
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.store import Durability

TASKS, WORLDS = 64, 16


async def main(path: str, driver: Driver, durability: Durability) -> None:
    async with Log(SqliteStore(Path(path), driver=driver, durability=durability)) as log:
        if not await log.worlds():
            opening = [Draft(WorldOpened(), datetime(1599, 6, 1)), Draft(CharacterAdded("Hamlet"))]
            await asyncio.gather(*(log.append(f"world {n}", opening) for n in range(WORLDS)))
        await asyncio.gather(*(live(log, task) for task in range(TASKS)))


async def live(log: Log, task: int) -> None:
    world = f"world {task % WORLDS}"
    for turn in range(1_000_000):
        text = f"{os.getpid()}.{task}.{turn}"
        speech = Draft(Acted(text), turn=turn, actor="Hamlet", witnesses=("Hamlet",))
        appended = await log.append(world, [speech] * (1 + turn % 3))
        for seq in range(appended.first, appended.last + 1):
            os.write(1, f"{world}\t{seq}\t{text}\n".encode())


if __name__ == "__main__":
    path, driver, durability = sys.argv[1:]
    asyncio.run(main(path, cast(Driver, driver), cast(Durability, durability)))
