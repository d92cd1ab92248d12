"""What hears of all that a chain has written, and looks at something upon it, on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Self, TypeVar

from whoknew.engine.playing.unwritten import event_of
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq

T = TypeVar("T")

PAGE = 500
"""Events that are heard at a time when a world is gone on with."""


class ChainListener:
    """Hears a chain. What is new is read before the next look, so that nobody waits for it but who
    wants that look."""

    def __init__(self, world: str) -> None:
        self._world, self._head = world, 0
        self._unheard: list[Event] = []
        self._one_by_one = asyncio.Lock()

    def hears(self, draft: Event | Draft) -> bool:
        """Whether this is anything to it."""
        raise NotImplementedError

    def hear(self, events: Sequence[Event]) -> None:
        raise NotImplementedError

    @classmethod
    async def of(cls, log: Log, world: str) -> Self:
        """One that has heard what is on the log."""
        listener = cls(world)
        if await log.store.find(world) is None:
            return listener
        listener._head = head = (await log.lineage.find(world)).head
        for after in range(0, head, PAGE):
            upto = AtSeq(min(after + PAGE, head))
            events = [
                event
                async for event in log.read(world, AtSeq(after), upto)
                if listener.hears(event)
            ]
            await asyncio.to_thread(listener.hear, events)
        return listener

    def take(self, seq: int, draft: Event | Draft) -> None:
        """The next event of the log."""
        if seq <= self._head:
            return  # it was on the log when this began
        self._head = seq
        if self.hears(draft):
            seen = draft if isinstance(draft, Event) else event_of(self._world, seq, draft)
            self._unheard.append(seen)

    async def look(self, looking: Callable[[], T]) -> T:
        """What comes of a look, upon all that was written."""
        async with self._one_by_one:
            unheard, self._unheard = self._unheard, []

            def look() -> T:
                self.hear(unheard)
                return looking()

            return await asyncio.to_thread(look)
