"""A server of language models that does on each call what a fault says, or what is right."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from adversity.faults import Fault, Said, sent
from model_servers import by_digest

OVER = (asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
"""How a connection may end, beside being lost."""


class Hostile:
    """`choose` says which fault a call meets; None is none."""

    def __init__(self) -> None:
        self.choose: Callable[[], Fault | None] = lambda: None
        self.url = ""
        self.calls = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            with suppress(OSError, *OVER):
                while await self._answer(reader, writer):
                    pass
        finally:
            self._serving.discard(task)
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One call; whether the connection can be used for another."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
        asked = msgspec.json.decode(await reader.readexactly(int(length[1]) if length else 0))
        self.calls += 1
        fault, said = self.choose(), _said(asked)
        for piece in fault(said) if fault else [sent(said.good)]:
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            else:
                writer.write(piece)
                await writer.drain()
        return fault is None

    async def close(self) -> None:
        for task in list(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


def _said(asked: Any) -> Said:
    """What a model could well say, in the protocol in which it was asked."""
    if "messages" in asked:
        return Said(by_digest(asked).text or "", "openai")
    schema = asked.get("generationConfig", {}).get("responseJsonSchema")
    wanted = {"response_format": schema} if schema else {}
    return Said(by_digest({"asked": asked, **wanted}).text or "", "gemini")


@asynccontextmanager
async def hostile() -> AsyncIterator[Hostile]:
    one = Hostile()
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0)
    one.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield one
    finally:
        server.close()
        await one.close()
