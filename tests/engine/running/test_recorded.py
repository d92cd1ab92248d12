"""Law 9: recorded calls tell the same story, in any process, however many are told at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from model_servers import by_digest, serving
from replay_program import digests

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called
from whoknew.worlds.setting import Order


async def replayed(
    recorded: Path, log: Path, chains: int, at_once: int, order: Order, seed: str
) -> list[str]:
    """The digests as another process finds them, which replays from the calls alone."""
    program = Path(__file__).parents[2] / "support" / "replay_program.py"
    arguments = [program, recorded, log, str(chains), str(at_once), order]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *map(str, arguments),
        env={**os.environ, "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, error = await process.communicate()
    assert process.returncode == 0, error.decode()
    return out.decode().split()


@pytest.mark.parametrize(("order", "chains"), [("simultaneous", 256), ("random", 16)])
async def test_recorded_calls_tell_the_same_stories(
    tmp_path: Path, order: Order, chains: int
) -> None:
    first = tmp_path / "first.db"
    async with serving("openai", after=by_digest) as server:
        told = await digests(f"{server.url}#stub", str(first), chains, 64, order)
        assert server.calls > chains
    assert len(set(told)) == chains
    for number, (at_once, seed) in enumerate([(1, "0"), (256, "1")]):
        log = tmp_path / f"again{number}.db"
        assert await replayed(first, log, chains, at_once, order, seed) == told
    async with open_log(str(log)) as again:
        events = [one async for one in await again.director("ferry-2")]
    assert all(one.body.model.endswith("#stub") for one in events if isinstance(one.body, Called))
