"""A program that plays the chain of `whoknew.testing.small_chain` until it is over.

python player.py LOG MODEL ORDER
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import cast

sys.path.insert(0, str(Path(__file__).parents[1]))

from whoknew.engine.plan.plan import Episodes, Judging, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.testing.small_chain import SETTING
from whoknew.worlds.setting import Order


def plan(model: str, order: Order) -> Plan:
    return Plan(
        world="ferry",
        episodes=Episodes(order=order, turns=8, stale=4),
        agents={"everyone": Seat(model=model)},
        judges={"eight": Judging("checklist", model), "rules": Judging("rules")},
        models={model: ModelSettings(attempts=3)},
    )


async def main(log: str, model: str, order: Order) -> int:
    async with open_run(Program.of(plan(model, order), SETTING, log)) as run:
        await run.survey()
        print("begun", flush=True)
        report = await run.play()
    print(report)
    return 0 if report.finished else 1


if __name__ == "__main__":
    log, model, order = sys.argv[1:]
    sys.exit(asyncio.run(main(log, model, cast(Order, order))))
