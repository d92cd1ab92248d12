"""Killing a writer again and again: every event that it acknowledged is there, whole, in order.

    python kills.py FILE

appends until it is killed; a line for each event acknowledged.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from signal import SIGKILL
from threading import Timer
from typing import NamedTuple

from figure import Figure, Reach
from session import Session
from story import Line, lines, opening

from whoknew.eventlog import Event, Log, exactly, open_log, verify
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.verify import Fault

TASKS = 64


class Said(NamedTuple):
    """An event that was acknowledged. Its turn says which line it is."""

    world: str
    seq: int
    turn: int


def figures(session: Session) -> Iterator[Figure]:
    """In several logs: to check one is to read all of it."""
    logs, kills = session.size(10, 1), session.size(10, 3)
    random = Random(5)
    found = [_survived(session.file("killed.db"), kills, random) for _ in range(logs)]
    yield Figure(
        f"events lost or torn by {logs * kills} kills -9",
        "ev",
        ours=[float(sum(wrong for _, wrong in found))],
        reach=Reach(0, "most"),
        notes={"acknowledged": f"{sum(said for said, _ in found):,}"},
    )


def _survived(path: Path, kills: int, random: Random) -> tuple[int, int]:
    """How many events were acknowledged over all kills, and how much is wrong with their log."""
    acknowledged: set[Said] = set()
    wrong: set[Said | Fault] = set()
    for _ in range(kills):
        acknowledged |= _killed(path, 0.3 + random.random() * 0.4)
        wrong |= asyncio.run(_wrong(path, acknowledged))
    return len(acknowledged), len(wrong)


def _killed(path: Path, seconds: float) -> set[Said]:
    """Let a writer append for a while, kill it, and take what it had acknowledged.

    It is read all the while: a writer that waits for its reader would be killed while it waits.
    """
    with subprocess.Popen(
        [sys.executable, __file__, path], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        first = writer.stdout.readline()  # from then on: a busy machine takes its time until there
        Timer(seconds, writer.kill).start()
        said = (first + writer.stdout.read()).split("\n")[:-1]
    assert writer.returncode == -SIGKILL, f"the writer ended by itself: {writer.returncode}"
    assert said, "the writer had appended nothing"
    fields = (line.split() for line in said)
    return {Said(world, int(seq), int(turn)) for world, seq, turn in fields}


async def _wrong(path: Path, acknowledged: set[Said]) -> set[Said | Fault]:
    """The acknowledged events that are not there as they were, and what else is wrong."""
    some = lines(2000)
    async with open_log(path) as log:
        faults = (await verify(log)).faults
        found = {
            Said(placed.event.world, placed.event.seq, placed.event.turn)
            async for placed in log.read_all()
            if _is(placed.event, some[placed.event.turn % len(some)])
        }
    return {*(acknowledged - found), *faults}


def _is(event: Event, line: Line) -> bool:
    return (
        isinstance(event.body, Acted)
        and event.body.text == line.text
        and event.witnesses == line.witnesses
    )


async def _append(path: Path) -> None:
    some = lines(2000)
    async with open_log(path) as log:
        heads = {one.name: one.head for one in await log.worlds()}
        async with asyncio.TaskGroup() as tasks:
            for number in range(TASKS):
                name = f"world{number}"
                tasks.create_task(_play(log, name, heads.get(name, 0), some))


async def _play(log: Log, world: str, head: int, some: list[Line]) -> None:
    if head == 0:
        head = (await log.append(world, opening(), expect=exactly(0))).last
    while True:
        turn = head + 1
        draft = some[turn % len(some)].draft(turn)
        head = (await log.append(world, [draft], expect=exactly(head))).last
        print(world, head, turn, flush=True)


if __name__ == "__main__":
    asyncio.run(_append(Path(sys.argv[1])))
