"""Law 1: what was acknowledged survives `kill -9` of whoever wrote it, on every store.

A volatile log dies with its process: there the writers are cancelled, and the log goes on.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from adversity import appender
from adversity.attack import Attack, Ground, Strike
from adversity.written import Acknowledged, check

from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore

FILES = (("sqlite3", "full"), ("apsw", "full"), ("sqlite3", "normal"), ("apsw", "normal"))

PROGRAM = Path(appender.__file__)

LIVES = 2
"""Writers that are killed at one log, one after the other."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    def strike(chance: Random) -> None:
        kind = chance.choice(("volatile", "postgres", *FILES))
        if kind == "volatile":
            asyncio.run(_cancelled(chance))
        elif kind == "postgres":
            with ground.postgres().database() as url:
                _killed(url, ("", ""), chance)
        else:
            with ground.fresh() as folder:
                _killed(str(folder / "log.db"), kind, chance)

    yield strike


ATTACK = Attack(setup=setup, short=7)


def _killed(address: str, how: tuple[str, str], chance: Random) -> None:
    acknowledged: Acknowledged = {}
    for _ in range(LIVES):
        acknowledged |= until_killed(address, how, chance.uniform(0.0, 0.1))
        asyncio.run(_check(address, how, acknowledged))


async def _check(address: str, how: tuple[str, str], acknowledged: Acknowledged) -> None:
    async with Log(appender.store_at(address, *how)) as log:
        await check(log, acknowledged)


def until_killed(address: str, how: tuple[str, str], seconds: float) -> Acknowledged:
    """Let a writer live for a moment, kill it, and return what it had been told is written."""
    program = [sys.executable, PROGRAM, address, *how]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        lines = [writer.stdout.readline()]
        assert lines[0], "the writer ended before it had appended anything"
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            lines.append(writer.stdout.readline())
        writer.kill()
        rest = writer.stdout.read()
    whole = (b"".join(lines) + rest).decode().split("\n")[:-1]
    split = (line.split("\t") for line in whole)
    return {(world, int(seq)): text for world, seq, text in split}


async def _cancelled(chance: Random) -> None:
    store, acknowledged = VolatileStore(), Acknowledged()

    def tell(world: str, seq: int, text: str) -> None:
        acknowledged[world, seq] = text

    for _ in range(LIVES):
        writing = asyncio.create_task(appender.append(store, tell))
        await asyncio.sleep(chance.uniform(0.0, 0.05))
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        async with Log(store) as log:
            await check(log, acknowledged)
