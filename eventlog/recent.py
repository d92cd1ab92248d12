"""The newest events of all worlds, at hand for those who follow them all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.eventlog.event import Event
from whoknew.eventlog.newest import Newest
from whoknew.eventlog.stores.store import Position

KEEP = 5000


class Placed(Struct, frozen=True, gc=False):
    """An event, and its place among all worlds of the log."""

    position: Position
    event: Event


class Recent:
    """Without a gap up to the newest; for a log that one process writes, whose positions count."""

    def __init__(self, upto: int) -> None:
        self._newest = Newest()
        self._upto = upto

    def extend(self, events: Sequence[Event], sizes: Sequence[int]) -> None:
        """So many came, of so many bytes each. Where they are not at hand, nothing before them is kept
        either."""
        if events:
            self._newest.extend(events, sizes)
        else:
            self._newest.clear()
        self._upto += len(sizes)
        if self._newest.room > 2 * KEEP:
            self._newest.forget(self._newest.room - KEEP)

    def after(self, position: Position, limit: int) -> list[Placed] | None:
        """Those past a position; nothing where memory does not go back so far."""
        newest = self._newest.events
        older = self._upto - len(newest)
        last = position[0] if position else 0
        if last < older:
            return None
        events = newest[last - older : last - older + limit]
        return [Placed((n,), event) for n, event in enumerate(events, start=last + 1)]
