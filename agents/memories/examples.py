"""Examples: the past scenes that are most like the present, with what one did in them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.agents.lines import line
from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.parts import Owner
from whoknew.eventlog import View

DONE = "(what you did)"
"""Marks it, behind what came before."""


class ExamplesEntry(MemoryEntry, frozen=True):
    """the past scenes most like the present, with what it did in them"""

    version: ClassVar[int] = 3

    k: Annotated[int, Meta(ge=1)] = 8
    """So many scenes come to mind at once."""
    scene: Annotated[int, Meta(ge=1)] = 10
    """A scene is what was done and as many events before it, of the same episode."""

    def make(self, owner: Owner) -> Examples:
        return Examples(self.k, self.scene)


class Examples(Memory):
    """Where scenes stand is folded event by event; what is searched is the view. Each event that is found
    speaks for the scene of what one did next."""

    def __init__(self, k: int, scene: int) -> None:
        self._k, self._scene = k, scene
        self._upto, self._episode, self._first = 0, 0, 1
        self._acts, self._begins = array("I"), array("I")
        """Of each thing that was done its place, and that of the first event of its scene."""

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, the scenes that are least alike are left out, and of a scene
        what lies furthest back."""
        await self._go_on(now.view)
        ranks = dict[int, int]()
        for rank, scene in enumerate(await self._alike(now)):
            for place in range(self._begins[scene], self._acts[scene] + 1):
                ranks.setdefault(place, -rank)
        places = sorted(ranks)
        pieces = list[Piece]()
        for place, event in zip(places, await now.view.pick(places), strict=True):
            if told := line(place, event):
                told = told.marked(DONE) if self._is_act(place) else told
                pieces.append(Piece(told, (place,), ranks[place]))
        return recollection(pieces, now.budget)

    async def _alike(self, now: Occasion) -> list[int]:
        """The scenes whose events match best, the best first; of equal ones the earlier."""
        found = await now.view.recall(now.about, self._k * self._scene, upto=now.before)
        scores = dict[int, float]()
        for one in found:
            scene = bisect_left(self._acts, one.place)
            if scene < len(self._acts) and self._begins[scene] <= one.place:
                scores[scene] = scores.get(scene, 0.0) + one.score
        return sorted(scores, key=lambda scene: (-round(scores[scene], 6), scene))[: self._k]

    def _is_act(self, place: int) -> bool:
        at = bisect_left(self._acts, place)
        return at < len(self._acts) and self._acts[at] == place

    async def _go_on(self, view: View) -> None:
        async for event in event_by_event(view, self._upto):
            self._upto += 1
            if event.episode != self._episode:
                self._episode, self._first = event.episode, self._upto
            if view.character in actors(event) and line(self._upto, event).text:
                self._acts.append(self._upto)
                self._begins.append(max(self._first, self._upto - self._scene))
