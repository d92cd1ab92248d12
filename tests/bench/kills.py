"""Killing a writer again and again: every event that it acknowledged is there, whole, in order.

python kills.py FOLDER    appends until it is killed; a line for each event acknowledged
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from figure import Figure, Reach
from session import Session
from story import lines, opening

from whoknew.eventlog import Log, exactly, open_log, verify
from whoknew.eventlog.kinds import Acted

TASKS = 64


def figures(session: Session) -> Iterator[Figure]:
    kills = session.size(100, 3)
    path = session.file("killed.db")
    random = Random(5)
    acknowledged: set[tuple[str, int, int]] = set()
    wrong = 0
    for _ in range(kills):
        acknowledged |= _killed(path, 0.3 + random.random() * 0.4)
        wrong += asyncio.run(_wrong(path, acknowledged))
        if len(acknowledged) > 200_000:  # go on in a new log: checking reads all of it
            acknowledged, path = set(), session.file("killed.db")
    yield Figure(
        f"events lost or torn by {kills} kills -9, FULL",
        "ev",
        ours=[float(wrong)],
        reach=Reach(0, "most"),
    )


def _killed(path: Path, seconds: float) -> set[tuple[str, int, int]]:
    """Let a writer append for a while, kill it, and take what it had acknowledged."""
    with subprocess.Popen(
        [sys.executable, __file__, path], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        writer.stdout.readline()  # it has begun
        time.sleep(seconds)
        writer.kill()
        said = writer.stdout.read().split("\n")[:-1]
    fields = (line.split() for line in said)
    return {(world, int(seq), int(turn)) for world, seq, turn in fields}


async def _wrong(path: Path, acknowledged: set[tuple[str, int, int]]) -> int:
    """How many of the acknowledged events are not there, and what else is wrong with the log."""
    async with open_log(path) as log:
        faults = (await verify(log)).faults
        found = {
            (placed.event.world, placed.event.seq, placed.event.turn)
            async for placed in log.read_all()
            if isinstance(placed.event.body, Acted)
        }
    return len(acknowledged - found) + len(faults)


async def _append(path: Path) -> None:
    some = lines(2000)
    async with open_log(path) as log:
        heads = {one.name: one.head for one in await log.worlds()}
        print("begun", flush=True)
        async with asyncio.TaskGroup() as tasks:
            for number in range(TASKS):
                name = f"world{number}"
                tasks.create_task(_play(log, name, heads.get(name, 0), some))


async def _play(log: Log, world: str, head: int, some: list) -> None:
    if head == 0:
        head = (await log.append(world, opening(), expect=exactly(0))).last
    while True:
        turn = head + 1
        draft = some[turn % len(some)].draft(turn)
        head = (await log.append(world, [draft], expect=exactly(head))).last
        print(world, head, turn, flush=True)


if __name__ == "__main__":
    asyncio.run(_append(Path(sys.argv[1])))
