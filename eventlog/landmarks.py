"""The few events of a world by which cursors, casts and plans are found, at hand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from whoknew.eventlog.event import Event
from whoknew.eventlog.fork import Lineage
from whoknew.eventlog.kind import LANDMARK

KEPT = 100
"""Of so many worlds they are kept."""


class Landmarks:
    """Those of a world are read when they are first asked for. From then on, and of a world that is begun here
    from the start, those that are appended are added."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._of: dict[str, tuple[int, list[Event]]] = {}
        """Of each world up to which seq they are known, and all of them up to there."""

    async def upto(self, world: str, seq: int) -> list[Event]:
        """Those up to a seq, in order."""
        known, events = self._of.get(world, (0, []))
        if known < seq:
            bodies = await self._lineage.landmarks(world, known, seq)
            events = [*events[: _count(events, known)], *await self._lineage.decoded(bodies)]
            if not self._lineage.reaches(world, seq):  # there may be more of them by then
                seq = events[-1].seq if events else 0
            if self._of.get(world, (0, []))[0] < seq:  # nobody else went on meanwhile
                self._keep(world, seq, events)
        elif world in self._of:
            self._keep(world, known, events)
        return events[: _count(events, seq)]

    def extend(self, world: str, events: Sequence[Event]) -> None:
        """Hear of a batch. Where others wrote before it, what is missing is read when it is asked for."""
        first = events[0].seq
        known, marks = self._of.get(world, (0, []))
        if known == first - 1:
            marks += [event for event in events if event.body.landmark == LANDMARK]
            self._keep(world, events[-1].seq, marks)

    def _keep(self, world: str, known: int, events: list[Event]) -> None:
        self._of.pop(world, None)
        self._of[world] = known, events  # now the last of them
        if len(self._of) > KEPT:
            del self._of[next(iter(self._of))]


def _count(events: Sequence[Event], seq: int) -> int:
    """How many of them come up to a seq."""
    return bisect_right(events, seq, key=lambda event: event.seq)
