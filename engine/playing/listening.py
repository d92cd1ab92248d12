"""What has read all that a chain has written, and looks at something upon it, on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq

T = TypeVar("T")

PAGE = 500
"""Events that are heard at a time, such as when a world is gone on with."""


class ChainListener:
    """Hears a chain, up to how it stands. What is new is read from the log before the next look, so that
    nobody waits for it but who wants that look."""

    def __init__(self, log: Log, world: str, state: ChainState) -> None:
        self._log, self._world, self._state = log, world, state
        self._heard = 0
        """The newest event that it has read."""
        self._one_by_one = asyncio.Lock()

    def hears(self, event: Event) -> bool:
        """Whether this is anything to it."""
        raise NotImplementedError

    def hear(self, events: Sequence[Event]) -> None:
        raise NotImplementedError

    async def look(self, looking: Callable[[], T]) -> T:
        """What comes of a look, upon all that was written."""
        async with self._one_by_one:
            while self._state.head - self._heard > PAGE:
                await asyncio.to_thread(self.hear, await self._page())
            newest = await self._page()

            def look() -> T:
                self.hear(newest)
                return looking()

            return await asyncio.to_thread(look)

    async def _page(self) -> list[Event]:
        """What it has to hear of the next events."""
        after, upto = self._heard, min(self._heard + PAGE, self._state.head)
        events = [
            event
            async for event in self._log.read(self._world, AtSeq(after), AtSeq(upto))
            if self.hears(event)
        ]
        self._heard = upto
        return events
