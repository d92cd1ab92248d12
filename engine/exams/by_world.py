"""What is made of all of a world that an exam is about, and kept at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")

WORLDS = 8
"""Of so many worlds: questions come world by world."""


class ByWorld(Generic[T]):
    """Makes it of each world once, for all who ask meanwhile; the one that was asked for longest ago goes
    first."""

    def __init__(self, make: Callable[[str], Awaitable[T]]) -> None:
        self._make = make
        self._kept: dict[str, T] = {}
        self._one_by_one = asyncio.Lock()

    async def of(self, world: str) -> T:
        async with self._one_by_one:
            found = self._kept.pop(world) if world in self._kept else await self._make(world)
            self._kept[world] = found
            if len(self._kept) > WORLDS:
                del self._kept[next(iter(self._kept))]
            return found
