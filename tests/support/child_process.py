"""Processes that tests start: none of them, and no pipe of theirs, outlives its test."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any


@asynccontextmanager
async def started(*words: object, **given: Any) -> AsyncIterator[Process]:
    """A process while this lasts; where it has not ended by then, it is killed."""
    process = await asyncio.create_subprocess_exec(*map(str, words), **given)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()  # which closes its pipes


def children(pid: int) -> list[int]:
    """The processes that one has begun, and that are still there."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return [*map(int, found.split())]


def is_alive(pid: int) -> bool:
    """Whether a process is there, and has not ended."""
    try:
        after_its_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except FileNotFoundError:
        return False
    return after_its_name.split()[0] != "Z"
