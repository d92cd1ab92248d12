"""Law 8: a chain that is killed at any moment goes on at the same turn, and pays for nothing twice."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections import Counter
from pathlib import Path
from time import monotonic

import pytest
from chains import digest_of
from servers import Server, by_digest, digest_of_asked, serving

from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.worlds.setting import Order

KILLS = int(os.environ.get("KILLS", "52"))
"""In all, over the orders."""

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")

SLOW = 0.03
"""What a machine may take to write down an answer that it was given."""


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


def in_flight(server: Server) -> int:
    """Calls that were under way just now: asked, and not answered long enough to be written."""
    recent = [over for over in server.over if over > monotonic() - SLOW]
    return server.in_flight + len(recent)


@pytest.mark.parametrize("order", ORDERS)
async def test_a_chain_that_is_killed_goes_on_and_tells_the_same_story(
    tmp_path: Path, order: Order
) -> None:
    rng, kills, stories = random.Random(order), 0, 0
    async with serving("openai", after=by_digest) as server:
        model = f"{server.url}#stub"
        assert await (await started(tmp_path / "whole.db", model, order)).wait() == 0
        needed = Counter(map(digest_of_asked, server.asked))
        digest = await story(tmp_path / "whole.db")
        while kills < KILLS // len(ORDERS):
            server.asked.clear()
            path, lost = tmp_path / f"cut{stories}.db", 0
            while not await killed(await started(path, model, order), rng.uniform(0, 0.05)):
                kills, lost = kills + 1, lost + in_flight(server)
            made = Counter(map(digest_of_asked, server.asked))
            assert set(made) == set(needed)
            assert made.total() - needed.total() <= lost
            assert await story(path) == digest
            stories += 1
    print(f"{kills} kills over {stories} stories")


async def story(path: Path) -> str:
    """The digest of a story; its log is whole, and each of its calls stands there once."""
    async with open_log(str(path)) as log:
        assert (await verify(log)).faults == ()
        calls = [one.body async for one in await log.director("ferry") if type(one.body) is Called]
        assert len(calls) == len({one.digest for one in calls})
        return await digest_of(log)
