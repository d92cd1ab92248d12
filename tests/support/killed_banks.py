"""An exam whose characters keep bookmarks, sat by processes that are killed at any moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from command_runner import run
from kitchen_runs import command

from whoknew.eventlog import open_log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Called, MemoryDerived

EVENTS = 150
"""So many at most are written between two kills."""

PLAN = """
exam = "bookmarks"
name = "lamp"
material = "lamp.worlds.db"
questions = "lamp.jsonl"
[agents.everyone]
memory = "bookmarks"
method = "predict"
[arms.bookmarks]
bookmarks = { profile = true }
[arms.no-reuse]
bookmarks = { reuses = false, derives = false }
"""


def exam_in(folder: Path) -> Path:
    """Its plan, beside the world that it is about and its questions."""
    plan = folder / "lamp.toml"
    run("exam", "new", "bookmarks", plan, "--from", "the-lamp-room")
    plan.write_text(PLAN, "utf-8")
    return plan


async def killed(plan: Path, log: str, chance: Random, kills: int) -> int:
    """Sit it until it is over, and kill it so many times at most on the way: how often it was."""
    for number in range(kills):
        async with command("exam", "run", plan, "--log", log, folder=plan.parent) as process:
            written = await _events(log) + chance.randint(1, EVENTS)
            over = asyncio.ensure_future(process.wait())
            while not over.done() and await _events(log) < written:
                await asyncio.wait([over], timeout=0.05)
            if over.done():
                return number
            process.kill()
            await over
    return kills


async def _events(log: str) -> int:
    """How much of it is written."""
    try:
        async with open_log(log, read_only=True) as opened:
            return sum(one.head for one in await opened.worlds())
    except LogError:
        return 0  # it is being made


async def came_to(plan: Path, log: str) -> Any:
    """Sit it to its end: what was kept of all steps, and what scores and banks came to. No answered call was
    made again."""
    async with command("exam", "run", plan, "--log", log, "--json", folder=plan.parent) as process:
        out, error = await process.communicate()
    assert process.returncode == 0, error.decode()
    table = msgspec.json.decode(out)["table"]
    async with open_log(log) as opened:
        bodies = [placed.event.body async for placed in opened.read_all()]
    kept = [one for one in bodies if isinstance(one, MemoryDerived)]
    sent = [one for one in bodies if isinstance(one, Called) and one.reply and not one.answered_by]
    looks = [one.digest for one in sent if one.purpose == "look"]
    assert len(looks) == len(set(looks)) > 0
    steps = sorted(
        (one.owner, one.strategy, one.upto, one.text, one.sources, one.packed) for one in kept
    )
    return steps, table["own"], table["found"], table["figures"]
