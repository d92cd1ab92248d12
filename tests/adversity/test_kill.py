"""Law 1: an acknowledged event survives `kill -9`."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from whoknew.eventlog import Log, verify
from whoknew.eventlog.stores.connection import Driver
from whoknew.eventlog.stores.sqlite import SqliteStore

KILLS = int(os.environ.get("KILLS", "60"))
"""In all, over the drivers and durabilities."""

CASES = [("sqlite3", "full"), ("apsw", "full"), ("sqlite3", "normal"), ("apsw", "normal")]


@pytest.mark.parametrize(("driver", "durability"), CASES)
async def test_a_killed_writer_loses_nothing_that_it_acknowledged(
    tmp_path: Path, driver: Driver, durability: str
) -> None:
    path = tmp_path / "log.db"
    rng = random.Random(f"{driver} {durability}")
    acknowledged: dict[tuple[str, int], str] = {}
    for _ in range(-(-KILLS // len(CASES))):
        acknowledged |= acknowledged_until_killed(path, driver, durability, rng)
        await check(path, driver, acknowledged)
    assert len(acknowledged) > 1000


def acknowledged_until_killed(
    path: Path, driver: Driver, durability: str, rng: random.Random
) -> dict[tuple[str, int], str]:
    """Let a writer live for a moment, kill it, and return what it had been told is written."""
    program = [sys.executable, Path(__file__).with_name("appender.py"), path, driver, durability]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        first = writer.stdout.readline()
        deadline = time.monotonic() + rng.uniform(0.0, 0.1)
        lines = [first]
        while time.monotonic() < deadline:
            lines.append(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read()
    whole = (b"".join(lines) + rest).decode().split("\n")[:-1]
    split = (line.split("\t") for line in whole)
    return {(world, int(seq)): text for world, seq, text in split}


async def check(path: Path, driver: Driver, acknowledged: dict[tuple[str, int], str]) -> None:
    """Every acknowledged event is there, and the log is whole, in order, without a gap."""
    async with Log(SqliteStore(path, driver=driver)) as log:
        found = await verify(log)
        assert found.faults == ()
        written = {}
        for world in await log.worlds():
            events = [event async for event in log.read(world.name)]
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            written |= {(world.name, event.seq): event.body.words for event in events}
    assert {place: written.get(place) for place in acknowledged} == acknowledged
