"""Requests to a server in this process, each with the status that it is to have."""

from __future__ import annotations

from typing import Any

from diner_world import WORLD
from whoknew_server import Served

ONE = f"/api/v1/worlds/{WORLD}"
"""The nights in the diner."""


async def get(server: Served, path: str, status: int = 200, **values: Any) -> Any:
    async with server.client.get(path, params=values) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def post(server: Served, path: str, body: Any, status: int = 200) -> Any:
    async with server.client.post(path, json=body) as response:
        found = await response.json()
        assert response.status == status, found
        return found
