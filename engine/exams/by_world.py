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
        if world not in self._kept:
            await self._have(world)
        found = self._kept[world] = self._kept.pop(world)
        return found

    async def _have(self, world: str) -> None:
        """Make it, unless somebody has meanwhile. Nobody comes here for what is there: behind a lock at
        which somebody waits all who come later would wait, too."""
        async with self._one_by_one:
            if world in self._kept:
                return
            made = await self._make(world)
            if len(self._kept) == WORLDS:
                del self._kept[next(iter(self._kept))]
            self._kept[world] = made
