"""Viewers of the worlds of `soak.py`, in a process of their own.

    python watchers.py PORT WORLDS VIEWERS

They look on until its stdin is closed; then it prints what they saw as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import msgspec
from aiohttp import ClientError, ClientSession, TCPConnector, WSMsgType
from msgspec import Struct


class Saw(Struct):
    """How many events came to each viewer, and how often one of them had to come again."""

    events: list[int] = []
    reconnects: int = 0


async def seen(port: int, worlds: int, viewers: int) -> Saw:
    saw = Saw([0] * viewers)
    async with (
        ClientSession(f"http://127.0.0.1:{port}", connector=TCPConnector(limit=0)) as client,
        asyncio.TaskGroup() as group,
    ):
        watching = [
            group.create_task(
                _watch(client, f"/api/v1/worlds/soak-{number % worlds}/stream", number, saw)
            )
            for number in range(viewers)
        ]
        await _told_to_stop()
        for task in watching:
            task.cancel()
    return saw


async def _watch(client: ClientSession, url: str, number: int, saw: Saw) -> None:
    """Look on, and come again when the stream breaks; it then tells all from the beginning."""
    while True:
        with suppress(ClientError):
            async with client.ws_connect(url, max_msg_size=0) as socket:
                async for message in socket:
                    if message.type is WSMsgType.TEXT:
                        saw.events[number] += message.data.count('"seq"')
        saw.reconnects += 1
        await asyncio.sleep(0.2)


async def _told_to_stop() -> None:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    await reader.read()


if __name__ == "__main__":
    print(msgspec.json.encode(asyncio.run(seen(*map(int, sys.argv[1:])))).decode())
