"""Runs of a plan of two in a kitchen, each a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from child_process import started
from command_runner import COMMAND
from model_servers import Doing, Server, by_digest
from waiting import PATIENCE

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called
from whoknew.testing.small_chain import digest_of

SETTING = """
name = "kitchen"
title = "A kitchen"
begins = 2000-01-01T20:00:00
characters = [{ name = "Oda" }, { name = "Bram" }]
scenarios = [
    { name = "soup", text = "Soup.", cast = ["Oda", "Bram"], turns = 6 },
    { name = "bread", text = "Bread.", cast = ["Bram", "Oda"], turns = 6 },
]
"""


def plan(folder: Path, model: str, more: str = "") -> Path:
    (folder / "kitchen.toml").write_text(SETTING)
    path = folder / "plan.toml"
    path.write_text(
        f'world = "kitchen.toml"\nlog = "{folder / "k.db"}"\n{more}\n'
        f'[agents.everyone]\nmodel = "{model}"\n[models."{model}"]\nattempts = 2\n'
    )
    return path


def program(module: str, **numbers: float) -> Sequence[str]:
    """The command line, with other numbers in a module of ours."""
    others = "".join(f"module.{name} = {value}; " for name, value in numbers.items())
    code = f"import whoknew.{module} as module; {others}from whoknew.cli import main; main()"
    return sys.executable, "-c", code


HOLDING = program("engine.running.free_chains", HEARTBEAT=PATIENCE)
"""The command line, of which no lease runs out, however slow the machine is."""


SENDING = (
    sys.executable,
    "-c",
    """
import asyncio
from whoknew.agents.models.calling import sending

sending.AT_ONCE = sending.CALLS = 1
sending._processors = lambda: 2
post = sending.SentModel.post

async def once_there(self, *args, **given):
    while not self._sending.caller(self._asked) and not self._sending._keeping.done():
        await asyncio.sleep(0.01)
    assert self._sending.caller(self._asked), "no process sends"
    return await post(self, *args, **given)

sending.SentModel.post = once_there
from whoknew.cli import main
main()
""",
)
"""The command line, all of whose calls are sent by a process beside it, however few they are."""


def command(
    *arguments: str | Path,
    folder: Path,
    program: Sequence[str] = COMMAND,
    **environment: str,
) -> AbstractAsyncContextManager[Process]:
    return started(
        *program,
        *arguments,
        stdout=PIPE,
        stderr=PIPE,
        stdin=DEVNULL,
        cwd=folder,
        env={
            **os.environ,
            "COLUMNS": "100",
            "XDG_RUNTIME_DIR": str(folder),
            "NO_COLOR": "1",
            **environment,
        },
    )


def killed(*arguments: str | Path, folder: Path, server: Server, calls: int) -> None:
    """A command that ends when its model was asked so often."""

    async def begun() -> None:
        async with command(*arguments, folder=folder) as process:
            await server.until_asked(calls, by=process)
            process.kill()
            await process.wait()

    asyncio.run(begun())


async def said(*arguments: str | Path, folder: Path, rc: int = 0, **environment: str) -> str:
    async with command(*arguments, folder=folder, **environment) as process:
        out, error = await process.communicate()
    told = " ".join((out.decode() + error.decode()).split())
    assert process.returncode == rc, told
    assert "Traceback" not in told
    return told


async def digest(folder: Path) -> str:
    async with open_log(folder / "k.db") as log:
        return await digest_of(log, "kitchen")


async def calls(folder: Path) -> list[Called]:
    async with open_log(folder / "k.db") as log:
        events = await (await log.director("kitchen")).events()
    return [one.body for one in events if isinstance(one.body, Called)]


def slowly(asked: Any) -> Doing:
    doing = by_digest(asked)
    return Doing(doing.text, wait=0.05)
