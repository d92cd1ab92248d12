"""The terminal of a person who plays: lines in, lines out, without holding up anybody."""

from __future__ import annotations

import asyncio
import sys

from whoknew.agents.errors import AgentError
from whoknew.engine.show.console import safe


class SeatLeft(AgentError):
    """The person at the terminal has gone: there is nothing more to read."""


class TerminalSeat:
    def __init__(self) -> None:
        self._reader: asyncio.StreamReader | None = None

    async def read(self, prompt: str) -> str:
        if self._reader is None:
            self._reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(self._reader)
            await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
        print(prompt, end="", flush=True)
        line = await self._reader.readline()
        if not line:
            raise SeatLeft("nobody is at the terminal any more: the same command goes on later")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def write(self, text: str) -> None:
        print("\n".join(map(safe, text.split("\n"))), flush=True)


def console() -> TerminalSeat:
    return TerminalSeat()
