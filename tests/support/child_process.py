"""Processes that tests start: none of them, and no pipe of theirs, outlives its test."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
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
