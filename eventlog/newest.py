"""The newest events of a world, or of a log, as long as there is room for them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from whoknew.eventlog.event import Event

USUAL = 1024
"""So many bytes on the log does an event have at most that counts for one: a longer one counts for more.
Without that, a hundred thousand long replies would be many GB."""


class Newest:
    """`events` is the same list all along. `room` is how many events they count for."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.room = 0
        self._rooms = array("Q")

    def extend(self, events: Sequence[Event], sizes: Sequence[int]) -> None:
        """Events that have so many bytes each."""
        self.events += events
        rooms = [1 + size // USUAL for size in sizes]
        self._rooms.extend(rooms)
        self.room += sum(rooms)

    def forget(self, spare: int) -> None:
        """Let go of the oldest, until there is so much more room."""
        freed = count = 0
        for room in self._rooms:
            if freed >= spare:
                break
            freed, count = freed + room, count + 1
        del self.events[:count], self._rooms[:count]
        self.room -= freed

    def clear(self) -> None:
        self.forget(self.room)
