"""Law 8: a chain that is killed at any moment goes on at the same turn, and pays for nothing twice."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import sys
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
from chains import digest_of
from servers import Doing, Server, serving

from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.worlds.setting import Order

KILLS = int(os.environ.get("KILLS", "52"))
"""In all, over the orders."""

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")

SLOW = 0.03
"""What a machine may take to write down an answer that it was given."""


def by_digest(asked: Any) -> Doing:
    """An answer that depends on nothing but what was asked."""
    digest = digest_of_asked(asked)
    chosen = int(digest[:2], 16)
    if "response_format" not in asked:
        return Doing(f"It was {digest[:6]}.", wait=0.01)
    act = ("speak", "speak", "action", "non-verbal", "none", "leave", "speak", "speak")[chosen % 8]
    said = {"act": act, "text": f"I say {digest[2:8]}."}
    return Doing(msgspec.json.encode(said).decode(), wait=0.004 + chosen / 20_000)


def digest_of_asked(asked: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()


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
