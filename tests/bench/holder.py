"""A process that keeps a whole world at hand, and the bytes that each of its events takes.

python holder.py FILE EVENTS
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random

from memory import now
from story import CROWD, Line, opening

from whoknew.eventlog import Log
from whoknew.eventlog.stores.sqlite import SqliteStore

BATCH = 1000


async def held(path: Path, count: int) -> float:
    """From the first tenth on: what the store keeps for itself is there by then."""
    async with Log(SqliteStore(path, durability="normal"), keep_events=2 * count) as log:
        await log.append("world", opening(CROWD))
        random = Random(7)
        await _fill(log, random, count // 10)
        before = now()
        await _fill(log, random, count - count // 10)
        return (now() - before) * 2**20 / (count - count // 10)


async def _fill(log: Log, random: Random, count: int) -> None:
    """Each event has a text and witnesses of its own, as those have that really happen."""
    for start in range(0, count, BATCH):
        turns = range(start, min(start + BATCH, count))
        await log.append("world", [Line(random, CROWD, 3).draft(turn) for turn in turns])
    await log.view("world", CROWD[0])


if __name__ == "__main__":
    print(asyncio.run(held(Path(sys.argv[1]), int(sys.argv[2]))))
