"""Law 8: a chain that is killed at any moment goes on at the same turn, and pays for nothing twice."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest
from chains import digest_of
from servers import by_digest, digest_of_asked, serving

from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.worlds.setting import Order

KILLS = int(os.environ.get("KILLS", "52"))
"""In all, over the orders."""

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")


async def started(log: Path, model: str, order: str) -> asyncio.subprocess.Process:
    program = Path(__file__).with_name("player.py")
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, program, log, model, order, stdout=pipe, stderr=asyncio.subprocess.STDOUT
    )


async def killed(life: asyncio.subprocess.Process, after: float) -> bool:
    """Let it play for a moment, and kill it; whether it was over before."""
    assert life.stdout
    await life.stdout.readline()
    try:
        async with asyncio.timeout(after):
            out = await life.stdout.read()
            assert await life.wait() == 0, out.decode()
            return True
    except TimeoutError:
        life.kill()
        await life.wait()
        return False


@pytest.mark.parametrize("order", ORDERS)
async def test_a_chain_that_is_killed_goes_on_and_tells_the_same_story(
    tmp_path: Path, order: Order
) -> None:
    """In each life, so many calls at most are lost as were ever under way at once in it."""
    rng, kills, stories = random.Random(order), 0, 0
    async with serving("openai", after=by_digest) as server:
        model = f"{server.url}#stub"
        assert await (await started(tmp_path / "whole.db", model, order)).wait() == 0
        needed = set(map(digest_of_asked, server.asked))
        digest = await story(tmp_path / "whole.db")
        while kills < KILLS // len(ORDERS):
            path, recorded = tmp_path / f"cut{stories}.db", 0
            over = False
            while not over:
                server.asked.clear()
                server.peak = server.in_flight
                over = await killed(await started(path, model, order), rng.uniform(0, 0.08))
                kills += not over
                assert set(map(digest_of_asked, server.asked)) <= needed
                before, recorded = recorded, await answered(path)
                assert 0 <= server.calls - (recorded - before) <= (0 if over else server.peak)
            assert recorded == len(needed)
            assert await story(path) == digest
            stories += 1
    print(f"{kills} kills over {stories} stories")


async def answered(path: Path) -> int:
    """How many calls are on the log with their answer."""
    async with open_log(str(path), read_only=True) as log:
        if not await log.worlds():
            return 0
        events = await (await log.director("ferry")).events()
    return sum(type(one.body) is Called for one in events)


async def story(path: Path) -> str:
    """The digest of a story; its log is whole, and each of its calls stands there once."""
    async with open_log(str(path)) as log:
        assert (await verify(log)).faults == ()
        calls = [one.body async for one in await log.director("ferry") if type(one.body) is Called]
        assert len(calls) == len({one.digest for one in calls})
        return await digest_of(log)
