"""The terminal of a person who plays: lines in, lines out, without holding up anybody."""

from __future__ import annotations

import asyncio
import os
import sys

from whoknew.engine.errors import SeatLeft
from whoknew.engine.terminal.console import safe

CHUNK = 4096


class TerminalSeat:
    """Where several people share a terminal, one is asked after the other."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._read = b""
        self._taken = asyncio.Lock()

    async def read(self, prompt: str) -> str:
        async with self._taken:
            print(prompt, end="", flush=True)
            while b"\n" not in self._read:
                await self._something()
                if not (more := os.read(self._source, CHUNK)):
                    break
                self._read += more
            line, end, self._read = self._read.partition(b"\n")
            if not line and not end:
                print(flush=True)
                raise SeatLeft("nobody is at the terminal any more: the same command goes on later")
            return line.decode("utf-8", "replace").rstrip("\r")

    def write(self, text: str) -> None:
        print("\n".join(map(safe, text.split("\n"))), flush=True)

    async def _something(self) -> None:
        """Wait until there is something to read. What is read stays in blocking mode: a terminal is
        also what is written to, and writing to it must not fail when it is slow."""
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(self._source, ready.set)
        except PermissionError:
            return  # a plain file never lets one wait
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._source)


def console() -> TerminalSeat:
    if sys.stdin is None:
        raise SeatLeft("a person is to play, but there is no terminal to read from: run it in one")
    return TerminalSeat(sys.stdin.fileno())
