"""A program that plays the chain of `whoknew.testing.small_chain` until it is over.

python player.py LOG MODEL ORDER [guarded]
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import cast

for folder in (Path(__file__).parents[1], Path(__file__).parents[1] / "support"):
    sys.path.insert(0, str(folder))

from whoknew.engine.plan.plan import Episodes, Judging, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.testing.small_chain import SETTING
from whoknew.worlds.setting import Order


def plan(model: str, order: Order, *, guard: bool) -> Plan:
    return Plan(
        world="ferry",
        episodes=Episodes(order=order, turns=8, stale=4),
        agents={"everyone": Seat(model=model, guard=guard)},
        judges={"eight": Judging("checklist", model), "rules": Judging("rules")},
        models={model: ModelSettings(attempts=3)},
    )


def program(log: str, model: str, order: Order, *, guard: bool) -> Program:
    if not guard:
        return Program.of(plan(model, order, guard=guard), SETTING, log)
    from guarded_runs import GUARDED

    return Program.of(plan(model, order, guard=guard), GUARDED, log)


async def main(log: str, model: str, order: Order, *guarded: str) -> int:
    async with open_run(program(log, model, order, guard=bool(guarded))) as run:
        await run.survey()
        print("begun", flush=True)
        report = await run.play()
    print(report)
    return 0 if report.finished else 1


if __name__ == "__main__":
    log, model, order, *guarded = sys.argv[1:]
    sys.exit(asyncio.run(main(log, model, cast(Order, order), *guarded)))
