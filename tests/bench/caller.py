"""A bare aiohttp client of the stub: what episodes could come to if they were nothing but calls.

    python caller.py URL CALLS AT_ONCE

Each call sends a prompt as long as an episode's in its middle, and decodes the reply. It prints
calls a second and the CPU that each took.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter, process_time
from typing import Any

import aiohttp
import msgspec

from whoknew.agents.mind import Said
from whoknew.agents.models.model import schema_of

PROMPT = 4000


async def called(url: str, calls: int, at_once: int) -> tuple[float, float]:
    schema = {"name": "Said", "schema": schema_of(Said)}
    body: dict[str, Any] = {
        "model": "stub",
        "messages": [{"role": "user", "content": "x" * PROMPT}],
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    left = iter(range(calls))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def work() -> None:
            for _ in left:
                data = msgspec.json.encode(body)
                headers = {"Content-Type": "application/json"}
                async with session.post(
                    f"{url}/chat/completions", data=data, headers=headers
                ) as reply:
                    msgspec.json.decode(await reply.read())

        begun, cpu = perf_counter(), process_time()
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(work())
        wall = perf_counter() - begun
    return calls / wall, (process_time() - cpu) / calls


if __name__ == "__main__":
    rate, cpu = asyncio.run(called(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
    print(msgspec.json.encode({"rate": rate, "cpu": cpu}).decode())
