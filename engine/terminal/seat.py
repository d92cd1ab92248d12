"""The terminal of a person who plays: lines in, lines out, without holding up anybody."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import termios
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TextIO

from rich.text import Text

from whoknew.engine.errors import SeatLeft, Suspended
from whoknew.engine.terminal.console import out, safe

CHUNK = 4096

CUT = 4095
"""So many bytes of a line Linux's terminals hand on, and drop without a word what follows."""


class TerminalSeat:
    """Where several people share a terminal, one sits there after the other, and none reads what was
    for another. What comes from a pipe or a file, nobody reads."""

    def __init__(self, source: int, screen: TextIO | None = None) -> None:
        self._source, self._screen = source, screen
        self._read = bytearray()
        self._taken = asyncio.Lock()
        self._people = set[str]()
        self._sits: str | None = None
        self._unread = False
        self._released: str | None = None
        self._wake: Callable[[], object] | None = None
        """Has whoever waits for a line look again."""

    def expect(self, who: str) -> None:
        self._people.add(who)

    @asynccontextmanager
    async def sitting(self, who: str) -> AsyncIterator[None]:
        async with self._taken:
            if who != self._sits and len(self._people) > 1 and os.isatty(self._source):
                await self._hand_over(who)
            self._sits = who
            yield

    async def read(self, prompt: str) -> str:
        self._print(safe(prompt), end="")
        self._unread = False
        looked = 0
        while (end := self._read.find(b"\n", looked)) < 0:
            looked = len(self._read)
            await self._something()
            if self._released is not None:
                self._print()
                raise Suspended(self._released)
            if not (more := os.read(self._source, CHUNK)):
                end = looked
                break
            self._read += more
        if not self._read:
            self._print()
            raise SeatLeft("nobody is at the terminal any more: the same command goes on later")
        line = self._read[:end].decode("utf-8", "replace")
        del self._read[: end + 1]
        if end >= CUT and os.isatty(self._source):
            self.write(
                f"  A terminal takes {CUT:,} bytes in a line, and may have cut this: write it in parts."
            )
            return await self.read(prompt)
        return line.rstrip("\r")

    def release(self, reason: str) -> None:
        """Called by whatever stops a run, also by a signal, while the loop may wait."""
        self._released = reason
        if self._wake is not None:
            self._wake()

    def write(self, text: str) -> None:
        console = out()
        for line in text.split("\n"):
            indent = " " * (len(line) - len(line.lstrip(" ")))
            width = max(1, console.width - len(indent))
            for part in Text(safe(line[len(indent) :])).wrap(console, width) or [Text()]:
                self._print(f"{indent}{part.plain.rstrip()}")
        self._unread = True

    def _print(self, text: str = "", end: str = "\n") -> None:
        print(text, end=end, file=self._screen, flush=True)

    async def _hand_over(self, who: str) -> None:
        """Push what is on the screen away, once it has been read."""
        if self._unread:
            await self._read_now("Press Enter when you have read this: ")
        rows = os.get_terminal_size(self._source).lines or shutil.get_terminal_size().lines
        self._print("\n" * rows)
        await self._read_now(f"Hand over to {who}, then press Enter: ")

    async def _read_now(self, prompt: str) -> None:
        """Whoever sat there typed what came earlier: it answers nothing that is asked behind it."""
        termios.tcflush(self._source, termios.TCIFLUSH)
        self._read.clear()
        await self.read(prompt)

    async def _something(self) -> None:
        """Wait until there is something to read. What is read stays in blocking mode: a terminal is
        also what is written to, and writing to it must not fail when it is slow."""
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(self._source, ready.set)
        except PermissionError:
            return  # a plain file never lets one wait
        self._wake = partial(loop.call_soon_threadsafe, ready.set)
        try:
            if self._released is None:
                await ready.wait()
        finally:
            self._wake = None
            loop.remove_reader(self._source)


def console(*, json: bool) -> TerminalSeat:
    """Where people play. In what is answered in JSON nothing else may stand."""
    if sys.stdin is None:
        raise SeatLeft("a person is to play, but there is no terminal to read from: run it in one")
    return TerminalSeat(sys.stdin.fileno(), sys.stderr if json else None)
