"""`whoknew pause` and `whoknew resume`: all who play a plan wait between two turns, and go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from command_runner import run
from kitchen_runs import said
from kitchen_workers import heard, two_at_work
from model_servers import Server
from waiting import PATIENCE

from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import Called


def test_a_file_and_a_log_that_nobody_plays(tmp_path: Path, database: str) -> None:
    assert "is a file" in run("pause", "--all", "--log", "a.db", rc=1).stderr
    run("workers", "--log", database)  # the log begins
    assert "nobody plays it" in run("pause", "kitchen", "--log", database, rc=1).stderr
    assert "one of the two" in run("resume", "--log", database, rc=2).stderr


async def test_processes_that_are_paused_ask_nothing_more_and_end_when_they_went_on(
    tmp_path: Path, database: str
) -> None:
    async with two_at_work(tmp_path, database) as (runs, server, _):
        told = await said("pause", "--all", "--log", database, folder=tmp_path)
        assert told.count("is to wait") == 2
        shown = await said("workers", "--log", database, folder=tmp_path, COLUMNS="200")
        assert shown.count("(paused)") == 2
        for one in runs:
            await heard(database, one)
        server.going.set()
        await until_answered(database, 4)
        for one in runs:
            await heard(database, one)
        assert turns(server) == 4, "no turn was begun meanwhile"
        assert all(one.returncode is None for one in runs)
        await said("resume", "--all", "--log", database, folder=tmp_path)
        ends = [await one.communicate() for one in runs]
        assert [one.returncode for one in runs] == [0, 0]
        assert all(b"paused: `whoknew resume`" in said_aside for _, said_aside in ends)
        assert turns(server) > 4


def turns(server: Server) -> int:
    """Calls for a turn: what is kept of an episode that was over by then is no turn."""
    return sum("'title': 'Said'" in str(one) for one in server.asked)


async def until_answered(database: str, count: int) -> None:
    """Until so many calls stand on the log."""
    async with asyncio.timeout(PATIENCE), open_log(database, read_only=True) as log:
        while await answered(log) < count:  # noqa: ASYNC110  (the database knows)
            await asyncio.sleep(0.05)


async def answered(log: Log) -> int:
    worlds = [await (await log.director(one.name)).events() for one in await log.worlds()]
    return sum(isinstance(event.body, Called) for events in worlds for event in events)
