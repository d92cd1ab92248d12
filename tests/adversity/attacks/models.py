"""A chain whose model's server is hostile: its turns fail, or it goes on; its log is whole.

Each round mixes three of the faults in `faults.py` into what the server answers. Whatever a run was
suspended for, once the server is well again it goes on to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from adversity.attack import Attack, Ground, Strike
from adversity.faults import FAULTS, Fault
from adversity.hostile import Hostile, hostile
from waiting import PATIENCE

from whoknew.engine.plan.plan import Episodes, Judging, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log, verify
from whoknew.testing.small_chain import SETTING

CLIENTS = ("http", "http", "http", "openai", "gemini")

LIVES = 3

SHORT, HONEST = 0.3, PATIENCE
"""Seconds that a reply may take: of a server that is at its worst, and in the last life, in which it
does what it can."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop, pytest.MonkeyPatch.context() as patch:
        serves = hostile()
        server = loop.run(serves.__aenter__())
        for name in ("OPENAI", "GEMINI"):
            patch.setenv(f"{name}_API_KEY", "sk-none")
            patch.setenv(f"{name}_BASE_URL", server.url)

        def strike(chance: Random) -> None:
            with ground.fresh() as folder:
                loop.run(_played(server, folder / "log.db", chance))

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=8)


async def _played(server: Hostile, file: Path, chance: Random) -> None:
    unheard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    client, faults = chance.choice(CLIENTS), chance.sample(list(FAULTS.values()), 3)
    odds = chance.choice((0.1, 0.3, 1.0))

    def choose() -> Fault | None:
        return chance.choice(faults) if chance.random() < odds else None

    server.choose = choose
    address = f"{server.url}/v1#stub" if client == "http" else f"{client}:stub"
    for life in range(LIVES):
        if life == LIVES - 1:
            server.choose = lambda: None
        report = await _run(file, address, HONEST if life == LIVES - 1 else SHORT)
        why = [one.reason for one in report.chains]
        told = f"{why} {unheard}: {address}, {[fault.__name__ for fault in faults]}"
        assert not report.failed, told
        assert not unheard, told
    assert report.finished, told
    async with open_log(file, read_only=True) as log:
        assert (await verify(log)).faults == (), told


async def _run(file: Path, model: str, patience: float) -> RunReport:
    plan = Plan(
        world="ferry",
        episodes=Episodes(play=("thursday", "friday"), turns=4, stale=4),
        agents={"everyone": Seat(model=model, memory="summary", reasks=1)},
        judges={"eight": Judging("checklist", model)},
        models={model: ModelSettings(attempts=1, timeout=patience)},
    )
    async with open_run(Program.of(plan, SETTING, str(file))) as run:
        await run.survey()
        return await run.play()
