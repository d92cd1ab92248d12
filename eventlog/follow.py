"""Following a log: catch up, then live. A reader holds a cursor, not a queue (law 10).

A follower only ever reads on from its cursor; news merely tells it when that is worth while. So
there is no hand-over to get wrong, and one that sleeps costs nobody anything.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class News:
    """Wakes those who wait for something new in a world, or in any."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str | None, set[asyncio.Event]] = defaultdict(set)

    @contextmanager
    def of(self, world: str | None) -> Iterator[asyncio.Event]:
        """An event that is set by news of the world; of any world, for None.

        Taken before reading what there is, so that nothing can slip in between.
        """
        fresh = asyncio.Event()
        self._waiting[world].add(fresh)
        try:
            yield fresh
        finally:
            self._waiting[world].discard(fresh)
            if not self._waiting[world]:
                del self._waiting[world]

    def announce(self, world: str | None) -> None:
        """Something is new in this world; for None: somewhere."""
        if world in self._waiting:
            for fresh in self._waiting[world]:
                fresh.set()

    def announce_all(self) -> None:
        """Something may be new anywhere."""
        for world in self._waiting:
            self.announce(world)


async def patiently(fresh: asyncio.Event, patience: float | None) -> None:
    """Wait for news, or until patience ends."""
    try:
        async with asyncio.timeout(patience):
            await fresh.wait()
    except TimeoutError:
        pass
