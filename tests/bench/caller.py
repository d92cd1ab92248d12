"""A bare aiohttp client of the stub: what episodes could come to if they were nothing but calls.

    python caller.py URL CALLS AT_ONCE

Each call sends a prompt as long as an episode's in its middle, and decodes the reply. It prints
seconds, those of the processor and calls as JSON. A warm-up on the same connections is not in the time.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter, process_time
from typing import Any

import aiohttp
import msgspec
from warming import WARMING

from whoknew.agents.mind import Said
from whoknew.agents.models.model import schema_of
from whoknew.engine.terminal.garbage import collect_seldom

PROMPT = 4000


async def called(url: str, calls: int, at_once: int) -> tuple[float, float]:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await _called(session, url, WARMING, at_once)
        begun, used = perf_counter(), process_time()
        await _called(session, url, calls, at_once)
        return perf_counter() - begun, process_time() - used


async def _called(session: aiohttp.ClientSession, url: str, calls: int, at_once: int) -> None:
    schema = {"name": "Said", "schema": schema_of(Said)}
    body: dict[str, Any] = {
        "model": "stub",
        "messages": [{"role": "user", "content": "x" * PROMPT}],
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    left = iter(range(calls))

    async def work() -> None:
        for _ in left:
            data = msgspec.json.encode(body)
            headers = {"Content-Type": "application/json"}
            async with session.post(f"{url}/chat/completions", data=data, headers=headers) as reply:
                msgspec.json.decode(await reply.read())

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(work())


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    url, calls, at_once = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    wall, cpu = asyncio.run(called(url, calls, at_once))
    told = {"wall": wall, "cpu": cpu, "turns": calls, "calls": WARMING + calls}
    print(msgspec.json.encode(told).decode())
