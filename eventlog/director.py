"""What the one who sees all reads: every event up to a cursor.

A type of its own, never passed where a view is wanted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from whoknew.eventlog.cursor import AtSeq, Cursor, When
from whoknew.eventlog.event import Event


class Pages(Protocol):
    """Where a director finds the events of a world."""

    def read(self, world: str, after: When, upto: When) -> AsyncIterator[Event]: ...


class Director:
    """All events of a world up to `cursor`, in order."""

    def __init__(self, pages: Pages, cursor: Cursor) -> None:
        self.cursor = cursor
        self._pages = pages

    def __len__(self) -> int:
        return self.cursor.seq

    def __repr__(self) -> str:
        return f"<Director at {self.cursor.world} #{self.cursor.seq}>"

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._pages.read(self.cursor.world, AtSeq(0), self.cursor)

    async def events(self, after: int = 0, upto: int | None = None) -> list[Event]:
        """The events with `after` < seq <= `upto`."""
        end = self.cursor.seq
        upto = end if upto is None else max(0, min(upto, end))
        after = max(0, min(after, end))
        pages = self._pages.read(self.cursor.world, AtSeq(after), AtSeq(upto))
        return [event async for event in pages]

    async def last(self, count: int) -> list[Event]:
        return await self.events(max(0, self.cursor.seq - count))
