"""A program that plays the chains of `whoknew.testing.small_chain` again from recorded calls.

    python replay_program.py RECORDED LOG CHAINS AT_ONCE ORDER

It prints the digest of each story.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import cast

sys.path.insert(0, str(Path(__file__).parents[1]))

from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.eventlog import open_log
from whoknew.testing.small_chain import SETTING, digest_of
from whoknew.worlds.setting import Order


def plan(model: str, chains: int, at_once: int, order: Order) -> Plan:
    return Plan(
        world="ferry",
        chains=chains,
        at_once=at_once,
        episodes=Episodes(order=order, turns=5, stale=4),
        agents={"everyone": Seat(model=model, memory="summary")},
    )


async def digests(model: str, log: str, chains: int, at_once: int, order: Order) -> list[str]:
    async with open_run(Program.of(plan(model, chains, at_once, order), SETTING, log)) as run:
        await run.survey()
        report = await run.play()
    assert report.finished, report
    async with open_log(log) as opened:
        return [await digest_of(opened, one.world) for one in report.chains]


if __name__ == "__main__":
    recorded, log, chains, at_once, order = sys.argv[1:]
    model = f"recorded:{recorded}"
    print(*asyncio.run(digests(model, log, int(chains), int(at_once), cast(Order, order))))
