"""The controls: what is to be had at most, and what leaks, in four ways in which others have leaked.

None of them is a memory: see `control.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.memory import Piece, Recollection, recollection
from whoknew.engine.exams.control import ControlEntry, Insight, told
from whoknew.engine.finding.story_index import fitting
from whoknew.eventlog import Event, View
from whoknew.eventlog.words import MONTHS

K = 6
"""So many are found: TimeChara's number."""


class Oracle(Struct, frozen=True):
    """`points`: what the evidence shows is told, too, with the date of the first event that does."""

    points: bool

    async def brings(self, insight: Insight) -> Recollection:
        """Of what its character did not witness nothing: so much can be had without a leak. Of more
        than there is room for, the earliest is left out."""
        view = insight.view
        places = sorted(
            {at for some in insight.evidence for seq in some if (at := view.place(seq))}
        )
        events = await view.pick(places)
        if not self.points:
            return _recollection(view, events, insight.budget)
        shown: dict[int, list[str]] = {}
        for point, some in zip(insight.points, insight.evidence, strict=False):
            if first := min((at for seq in some if (at := view.place(seq))), default=None):
                shown.setdefault(first, []).append(point)
        pieces = list[Piece]()
        for place, event in zip(places, events, strict=True):
            pieces += [
                Piece(_point(event, point), (place,), len(pieces)) for point in shown.get(place, ())
            ]
            pieces.append(Piece(told(view, event), (place,), len(pieces)))
        return recollection(pieces, insight.budget)


def _point(event: Event, point: str) -> Line:
    at = event.at
    text = f"{at.day} {MONTHS[at.month - 1]} {at.year}: {point}" if at else point
    return Line(f"What this shows: {quoted(text)}", 0, "", text)


class OracleEntry(ControlEntry, frozen=True):
    """what a right answer rests on, as far as it was witnessed: the most that a memory could bring"""

    points: bool = False
    """Whether what that shows is told, too, in the words of the question's label `points`."""

    def deciding(self) -> dict[str, Any]:
        return super().deciding() if self.points else {}

    def make(self) -> Oracle:
        return Oracle(self.points)


class Full(Struct, frozen=True):
    async def brings(self, insight: Insight) -> Recollection:
        """Of more than there is room for, the earliest is left out."""
        director = await insight.material.director(insight.view.cursor.world)
        events = [event for event in await director.events() if event.witnesses]
        return _recollection(insight.view, events, insight.budget)


class FullEntry(ControlEntry, frozen=True):
    """leaks: all that anybody witnesses in the world, to its end"""

    def make(self) -> Full:
        return Full()


class Naive(Struct, frozen=True):
    """`late`: what comes after the cursor is left out, after the best were chosen; `upto`: before."""

    k: int
    late: bool = False
    upto: bool = False

    async def brings(self, insight: Insight) -> Recollection:
        """Of more than there is room for, what matches least is left out."""
        view = insight.view
        cursor = view.cursor if self.upto else None
        best = await fitting(insight.material, view.cursor.world, insight.about, self.k, cursor)
        some = [event for event in best if not self.late or event.seq <= view.cursor.seq]
        ranks = {event.seq: -rank for rank, event in enumerate(some)}
        return _recollection(view, sorted(some, key=lambda event: event.seq), insight.budget, ranks)


class NaiveEntry(ControlEntry, frozen=True):
    """leaks: a search in all that happens in the world, to its end"""

    k: Annotated[int, Meta(ge=1)] = K
    """So many events come to mind at once."""

    def make(self) -> Naive:
        return Naive(self.k)


class RecallLateEntry(ControlEntry, frozen=True):
    """leaks: the same search, of which what lies past the cursor is left out afterwards"""

    k: Annotated[int, Meta(ge=1)] = K
    """So many events are found, before some are left out."""

    def make(self) -> Naive:
        return Naive(self.k, late=True)


class RecallAllEntry(ControlEntry, frozen=True):
    """leaks: a search in all that has happened up to the cursor, whoever witnessed it"""

    k: Annotated[int, Meta(ge=1)] = K
    """So many events come to mind at once."""

    def make(self) -> Naive:
        return Naive(self.k, upto=True)


def _recollection(
    view: View, events: Sequence[Event], budget: int | None, ranks: dict[int, int] | None = None
) -> Recollection:
    pieces = [
        Piece(words, (place,) if (place := view.place(event.seq)) else (), rank)
        for number, event in enumerate(events)
        if (words := told(view, event))
        for rank in [number if ranks is None else ranks[event.seq]]
    ]
    return recollection(pieces, budget)
