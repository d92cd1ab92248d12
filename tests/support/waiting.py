"""Waiting in tests: for what has to come, never for a time."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

PATIENCE = 900.0
"""Seconds after which a test gives up. They only end a hang: on a machine with much else to do, what a
test waits for takes thirty times as long as elsewhere, and comes all the same."""

OFTEN = 0.01


async def until(holds: Callable[[], object], *, by: Process | None = None) -> None:
    """Wait until it holds, by the work of another task, thread or process: where that process has
    ended without it, nobody waits on."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            over = by is not None and by.returncode is not None
            await asyncio.sleep(OFTEN)
            assert not over or holds(), f"its process ended with {by and by.returncode} before"


@asynccontextmanager
async def others_go_on() -> AsyncIterator[None]:
    """Have another task run beside a long piece of work, and see that it was let."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async with asyncio.timeout(PATIENCE):
        other = asyncio.create_task(others())
        yield
        other.cancel()
    assert turns > 100


async def line_with(stream: asyncio.StreamReader | None, words: str) -> str:
    """The next line of a process's output that has these words in it."""
    assert stream is not None
    said = ""
    async with asyncio.timeout(PATIENCE):
        while line := (await stream.readline()).decode():
            if words in line:
                return line
            said += line
    raise AssertionError(f"it never said {words!r}, but: {said}")
