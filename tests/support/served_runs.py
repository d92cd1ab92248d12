"""Runs that a server plays, begun and waited for over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

from waiting import PATIENCE
from whoknew_server import Served

PLAN = """
world = "flatmates"
name = "flat"
[episodes]
turns = 4
"""


async def post(server: Served, path: str, body: Any = None, status: int = 200) -> Any:
    async with server.client.post(path, json=body or {}) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def until(server: Served, *states: str) -> Any:
    async with asyncio.timeout(PATIENCE):
        while True:
            async with server.client.get("/api/v1/runs") as response:
                run = (await response.json())[-1]
            if run["state"] in states:
                return run
            await asyncio.sleep(0.02)


async def sit(server: Served, world: str, who: str) -> Any:
    return await server.client.ws_connect(f"/api/v1/worlds/{world}/stream?as={who}")


async def turn(socket: Any) -> Any:
    return await heard(socket, "turn", "taken", "refused")


async def heard(socket: Any, *types: str) -> Any:
    """The next message of one of these types."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await socket.receive_json()
            if message["type"] in types:
                return message
