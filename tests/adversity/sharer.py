"""A program that plays chains of `whoknew.testing.small_chain` beside others of its kind, as `whoknew run`
does on several machines.

python sharer.py LOG MODEL CHAINS AT_ONCE HEARTBEAT [cluster]
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import faked_clock  # noqa: F401  (before what sleeps)

from whoknew.engine.plan.plan import Episodes, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running import free_chains
from whoknew.engine.running.chains import Run
from whoknew.engine.running.cluster import run_on_cluster
from whoknew.engine.running.run import run_program
from whoknew.testing.small_chain import SETTING


def program(log: str, model: str, chains: int, at_once: int) -> Program:
    plan = Plan(
        world="ferry",
        chains=chains,
        at_once=at_once,
        episodes=Episodes(turns=6, stale=4),
        agents={"everyone": Seat(model=model)},
        models={model: ModelSettings(attempts=3, timeout=900)},
    )
    return Program.of(plan, SETTING, log)


@contextmanager
def watching(run: Run) -> Iterator[None]:
    print("begun", flush=True)
    yield


async def main(
    log: str, model: str, chains: str, at_once: str, heartbeat: str, *cluster: str
) -> int:
    free_chains.HEARTBEAT = float(heartbeat)
    plays = program(log, model, int(chains), int(at_once))
    if cluster:
        report = await run_on_cluster(plays, "local", 2, watching)
    else:
        report = await run_program(plays, "sharer", watching)
    print("begun, and ended:", report)
    return report.code


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
