"""A server that is stopped while a question is open, on a disk that takes its time."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import ClientError
from diner_world import WORLD, nights
from model_servers import Doing, serving
from whoknew_server import served

from whoknew.engine.server import app
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called

HOLDS = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(2.5)
"""


async def test_a_question_that_was_dropped_is_written_down_however_slow_the_disk_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "GRACE", 0.1)
    file = nights(tmp_path)
    asked = {"character": "Vera", "question": "Who has the key?"}
    async with serving("openai", after=Doing(wait=600)) as model, open_log(file) as log:
        asked["model"] = f"{model.url}#m"
        async with served(log) as server:
            asking = asyncio.ensure_future(
                server.client.post(f"/api/v1/worlds/{WORLD}/ask", json=asked)
            )
            await model.until_asked(1)
            holding = await asyncio.create_subprocess_exec(
                sys.executable, "-c", HOLDS, file, stdout=subprocess.PIPE
            )
            assert holding.stdout is not None
            await holding.stdout.readline()
        with pytest.raises(ClientError):
            await asking
        await holding.wait()
        events = await (await log.director(WORLD)).events()
        calls = [event.body for event in events if isinstance(event.body, Called)]
        assert (calls[-1].error or "").partition(":")[0] == "dropped"
