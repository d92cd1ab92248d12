"""Following a log: catch up, then live. A reader holds a cursor, not a queue (law 10).

A follower only ever reads on from its cursor; news merely tells it when that is worth while. So
there is no hand-over to get wrong, and one that sleeps costs nobody anything.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict


class News:
    """Wakes those who wait for something new in a world, or in any."""

    def __init__(self) -> None:
        self._count: defaultdict[str | None, int] = defaultdict(int)
        self._waiting: defaultdict[str | None, list[asyncio.Future[None]]] = defaultdict(list)

    def count(self, world: str | None) -> int:
        """Taken before a read that may find nothing; None stands for any world."""
        return self._count[world]

    def announce(self, world: str) -> None:
        self._announce(world)
        self._announce(None)

    def announce_all(self) -> None:
        """Something is new, but it is not known where."""
        for world in {None, *self._count}:
            self._announce(world)

    async def wait(self, world: str | None, count: int, patience: float | None) -> None:
        """Return once there is news since `count` was taken, or when patience ends."""
        if self._count[world] != count:
            return
        woken = asyncio.get_running_loop().create_future()
        self._waiting[world].append(woken)
        try:
            await asyncio.wait([woken], timeout=patience)
        finally:
            if not woken.done():
                self._waiting[world].remove(woken)

    def _announce(self, world: str | None) -> None:
        self._count[world] += 1
        if world in self._waiting:
            for woken in self._waiting.pop(world):
                if not woken.done():
                    woken.set_result(None)
