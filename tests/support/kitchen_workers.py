"""Two processes that play the kitchen's chains into one database, each with calls that wait for an answer."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic

from kitchen_runs import command, plan, program
from model_servers import Server, by_digest, serving
from waiting import PATIENCE

from whoknew.eventlog import open_log

OFTEN_HEARD = program("engine.running.workers", EVERY=0.1)
"""The command line, which says sooner how it does, and so hears sooner what it is to do."""


@asynccontextmanager
async def two_at_work(
    folder: Path, database: str
) -> AsyncIterator[tuple[list[Process], Server, AsyncExitStack]]:
    """They play four chains, two each, and wait for the server to go on with its four answers."""
    async with serving("openai", after=by_digest) as server, AsyncExitStack() as stack:
        server.going.clear()
        given = plan(folder, f"{server.url}#m", "chains = 4\nat_once = 2")
        runs = []
        for asked in (2, 4):
            words = ("run", given, "--log", database)
            process = command(*words, folder=folder, program=OFTEN_HEARD)
            runs.append(await stack.enter_async_context(process))
            await server.until_asked(asked)
        yield runs, server, stack


async def heard(database: str, run: Process) -> str:
    """Wait until it has said how it does once more: with that it hears what it is to do. Its name."""
    asked = monotonic()
    async with asyncio.timeout(PATIENCE), open_log(database, read_only=True) as log:
        assert log.store.leases is not None
        while True:
            now = monotonic()
            there = await log.store.leases.workers.all()
            (one,) = (one for one in there if one.name.startswith(f"process {run.pid} on "))
            if one.silent < now - asked:
                return one.name
            await asyncio.sleep(0.05)
