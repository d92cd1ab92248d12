"""An exam sat by processes that are killed at any moment, and by another that goes on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from command_runner import COMMAND
from kitchen_runs import command
from lamp_exams import lamp_exam
from model_servers import Doing, Server, digest_of_asked

AT_ONCE = 6

PLAN = f"""
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
repeats = 8
at_once = {AT_ONCE}
[grid]
models = ["MODEL"]
memories = ["none", "entire"]
methods = ["plain", "stepwise"]
[judges.mark]
by = "rubric"
model = "MODEL"
[models."MODEL"]
attempts = 2
"""
CELLS = 3 * 2 * 2 * 8

CALLS = 3 * 8 * 2 * (1 + 2) + CELLS
"""As many as one makes that nobody kills."""


def slowly(asked: Any) -> Doing:
    """What answers and judges, by what is asked."""
    chosen = int(digest_of_asked(asked)[:2], 16)
    if "response_format" not in asked:
        return Doing(f"I think of {chosen}.", wait=0.02)
    text: dict[str, Any] = {"answer": f"It was {chosen}.", "rests_on": []}
    if b'"mark"' in msgspec.json.encode(asked["response_format"]):
        text = {"mark": {"reason": "So.", "score": chosen % 11}}
    return Doing(msgspec.json.encode(text).decode(), wait=0.02)


def exam_at(server: Server, folder: Path, more: str = "") -> Path:
    """The plan of it in a folder, beside its questions and the log that they are about."""
    return lamp_exam(folder, PLAN.replace("MODEL", f"{server.url}#m") + more)


async def killed(
    server: Server, path: Path, chance: Random, kills: int, by: Sequence[str] = COMMAND
) -> None:
    """Sit it so many times, each until it is killed."""
    for _ in range(kills):
        left = CALLS - server.calls
        if left < 2:
            return
        await killed_once(server, path, chance, most=min(25, left - 1), by=by)


async def killed_once(
    server: Server, path: Path, chance: Random, *, most: int, by: Sequence[str] = COMMAND
) -> None:
    """Sit it until it is killed, after so many more calls at most."""
    async with command("exam", "run", path, folder=path.parent, program=by) as process:
        wanted = server.calls + chance.randint(1, most)
        over = asyncio.ensure_future(process.wait())
        asked = asyncio.ensure_future(server.until_asked(wanted))
        await asyncio.wait([over, asked], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        await asyncio.sleep(chance.uniform(0, 0.04))
        if not over.done():
            process.kill()
        await over


async def table_of(path: Path, by: Sequence[str] = COMMAND) -> Any:
    """Sit it to its end; the table of it."""
    async with command("exam", "run", path, "--json", folder=path.parent, program=by) as process:
        out, error = await process.communicate()
    assert process.returncode == 0, error.decode()
    return msgspec.json.decode(out)["table"]
