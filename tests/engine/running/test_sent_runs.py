"""Runs of many chains, whose calls are sent by a process beside them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from child_process import children, is_alive
from kitchen_runs import SENDING, command, digest, plan, said
from model_servers import by_digest, serving

CHAINS = 40


async def test_they_come_to_the_same_story_also_where_it_dies(tmp_path: Path) -> None:
    async with serving("openai", after=by_digest) as server:
        alone, beside = tmp_path / "alone", tmp_path / "beside"
        for folder in (alone, beside):
            folder.mkdir()
            await asyncio.to_thread(plan, folder, f"{server.url}#m", f"chains = {CHAINS}")
        await said("run", "plan.toml", folder=alone)
        calls = server.calls
        server.asked.clear()
        async with command("run", "plan.toml", folder=beside, program=SENDING) as process:
            await server.until_asked(calls // 3, by=process)
            (sender,) = children(process.pid)
            os.kill(sender, signal.SIGKILL)
            _, error = await process.communicate()
        assert process.returncode == 0, error
        assert b"caller.ended" in error
        assert calls <= server.calls <= calls + CHAINS
        assert not is_alive(sender)
    assert await digest(alone) == await digest(beside)
