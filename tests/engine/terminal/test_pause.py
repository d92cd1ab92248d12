"""`whoknew pause` and `whoknew resume`: all who play a plan wait between two turns, and go on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from command_runner import run
from kitchen_runs import command, plan, said
from model_servers import by_digest, serving
from waiting import PATIENCE

from whoknew.engine.running.workers import EVERY
from whoknew.eventlog import Log, open_log


def test_a_file_and_a_log_that_nobody_plays(tmp_path: Path, database: str) -> None:
    assert "is a file" in run("pause", "--all", "--log", "a.db", rc=1).stderr
    run("workers", "--log", database)  # the log begins
    assert "nobody plays it" in run("pause", "kitchen", "--log", database, rc=1).stderr
    assert "one of the two" in run("resume", "--log", database, rc=2).stderr


async def test_processes_that_are_paused_ask_nothing_more_and_end_when_they_went_on(
    tmp_path: Path, database: str
) -> None:
    async with serving("openai", after=by_digest) as server, AsyncExitStack() as stack:
        server.going.clear()
        given = plan(tmp_path, f"{server.url}#m", "chains = 4\nat_once = 2")
        runs = []
        for asked in (2, 4):
            process = command("run", given, "--log", database, folder=tmp_path)
            runs.append(await stack.enter_async_context(process))
            await server.until_asked(asked)
        told = await said("pause", "--all", "--log", database, folder=tmp_path)
        assert told.count("is to wait") == 2
        shown = await said("workers", "--log", database, folder=tmp_path, COLUMNS="200")
        assert shown.count("(paused)") == 2
        await asyncio.sleep(2 * EVERY)  # in which each says so, and hears it
        server.going.set()
        async with open_log(database, read_only=True) as log, asyncio.timeout(PATIENCE):
            head = 0
            while head != (head := await total(log)):  # noqa: ASYNC110
                await asyncio.sleep(1)
        calls = len(server.asked)
        await asyncio.sleep(1)
        assert len(server.asked) == calls
        assert all(one.returncode is None for one in runs)
        await said("resume", "--all", "--log", database, folder=tmp_path)
        ends = [await one.communicate() for one in runs]
        assert [one.returncode for one in runs] == [0, 0]
        assert all(b"paused: `whoknew resume`" in said_aside for _, said_aside in ends)
        assert len(server.asked) > calls


async def total(log: Log) -> int:
    return sum(one.head for one in await log.worlds())
