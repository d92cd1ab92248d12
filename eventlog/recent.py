"""The newest events of all worlds, at hand for those who follow them all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.eventlog.event import Event
from whoknew.eventlog.stores.store import Position

KEEP = 5000


class Placed(Struct, frozen=True, gc=False):
    """An event, and its place among all worlds of the log."""

    position: Position
    event: Event


class Recent:
    """Without a gap up to the newest; for a log that one process writes, whose positions count."""

    def __init__(self, upto: int) -> None:
        self._events: list[Event] = []
        self._upto = upto

    def extend(self, events: Sequence[Event], count: int) -> None:
        """So many came. Where they are not at hand, nothing before them is kept either."""
        if len(events) < count:
            self._events.clear()
        self._events += events
        self._upto += count
        if len(self._events) > 2 * KEEP:
            del self._events[:-KEEP]

    def after(self, position: Position, limit: int) -> list[Placed] | None:
        """Those past a position; nothing where memory does not go back so far."""
        older = self._upto - len(self._events)
        last = position[0] if position else 0
        if last < older:
            return None
        events = self._events[last - older : last - older + limit]
        return [Placed((n,), event) for n, event in enumerate(events, start=last + 1)]
