"""Knowledge that is asked on threads while its world goes on: each answer is that of its cursor."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from random import Random

import pytest
from small_worlds import opened, said

from whoknew.eventlog import Draft, Known, Log, open_log
from whoknew.eventlog.kinds import TellingFound

CAST = tuple(f"c{number}" for number in range(40))
FACT = len(CAST) + 2
"""What the first of them sees alone."""

MANY = 20_000


@pytest.fixture(autouse=True)
def _hurried() -> Iterator[None]:
    """Threads take turns all the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


async def told(log: Log, count: int, rng: Random) -> None:
    """Everybody tells somebody of something; at last somebody of the fact."""
    head = (await log.lineage.find("w")).head
    pairs = [rng.sample(CAST[:30], 2) for _ in range(count)]
    words = [said(who, "so I heard", other, about=(head,)) for who, other in pairs]
    await log.append("w", [*words, said(CAST[0], "I saw it", rng.choice(CAST[1:]), about=(FACT,))])


@pytest.mark.parametrize("seed", range(3))
async def test_what_is_known_at_a_cursor_is_the_same_while_others_ask_and_go_on(seed: int) -> None:
    rng = Random(seed)
    async with open_log(":memory:") as log:
        await log.append("w", [*opened(*CAST), said(CAST[0], "secret")])
        await told(log, MANY, rng)
        at = (await log.cursor("w")).seq
        asked, also = await log.knowledge("w", f"#{at}"), await log.knowledge("w", f"#{at}")

        def walk() -> list[list[list[Known]]]:
            return [asked.matrix([FACT], CAST) for _ in range(2)]

        walking = [asyncio.create_task(asyncio.to_thread(walk)) for _ in range(2)]
        seen: list[list[list[Known]]] = []
        await asyncio.sleep(0.001)
        while not all(task.done() for task in walking):
            seen.append(also.matrix([FACT], CAST))
            await told(log, 3, rng)
            fresh = CAST[30 + len(seen) % 10]
            await log.append("w", [said(fresh, "of that", CAST[1], about=(FACT,))])
            last = (await log.cursor("w")).seq
            hearers = (CAST[1],)
            await log.append("w", [Draft(TellingFound(FACT, fresh, hearers, 0.9), cause=last)])
            await log.knowledge("w")
            seen.append((await log.knowledge("w", f"#{at}")).matrix([FACT], CAST))
        for task in walking:
            seen += await task
    async with open_log(":memory:") as again:
        rng = Random(seed)
        await again.append("w", [*opened(*CAST), said(CAST[0], "secret")])
        await told(again, MANY, rng)
        expected = (await again.knowledge("w")).matrix([FACT], CAST)
    assert len(seen) > len(walking)
    assert all(one == expected for one in seen)
