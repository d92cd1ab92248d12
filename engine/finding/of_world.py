"""What is made of all that happened in a world, and kept at hand for as long as nothing is added to it."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from whoknew.eventlog import Event, Log

T = TypeVar("T")

FEW = 16
"""Of so many worlds it is kept."""


class OfWorld(Generic[T]):
    """Many may ask at once, on one loop or on several: who comes first on a loop reads the world, and who
    is first of those makes it."""

    def __init__(self, make: Callable[[Sequence[Event]], T]) -> None:
        self._make = make
        self._made: dict[tuple[str, bytes], T] = {}
        self._making = Lock()
        self._reading: WeakKeyDictionary[AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def get(self, log: Log, world: str) -> T:
        """That of a world as it stands."""
        key = (world, (await log.head(world)).hash)
        if (found := self._made.get(key)) is not None:
            return found
        async with self._reading.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            if (found := self._made.get(key)) is not None:
                return found
            events = await (await log.director(world)).events()
            return await asyncio.to_thread(self._of, key, events)

    def _of(self, key: tuple[str, bytes], events: Sequence[Event]) -> T:
        with self._making:
            if key not in self._made:
                found = self._make(events)
                while len(self._made) >= FEW:
                    del self._made[next(iter(self._made))]
                self._made[key] = found
            return self._made[key]
