"""Work that grows with a world, done a slice at a time: whoever else waits has a turn in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

SLICE = 500
"""Events to a slice: about a millisecond of work."""

T = TypeVar("T")


async def in_slices(items: Sequence[T]) -> AsyncIterator[T]:
    for place, item in enumerate(items, start=1):
        yield item
        if place % SLICE == 0:
            await asyncio.sleep(0)
