"""Recall: of earlier episodes, what matches the present best."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from whoknew.agents.lines import line
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.parts import Owner

BESIDE = "(beside what matches)"
"""What only its neighbours lift is marked: it holds none of the words that brought it to mind. (To
leave it out costs a hundredth of what is found on LoCoMo: it is often the answer.)"""


class Recall(Memory):
    """The `k` best events of earlier episodes, in the order in which they happened."""

    def __init__(self, k: int) -> None:
        self._k = k

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, those that match least are left out."""
        view, life = now.view, now.life
        upto = life.now.first - 1 if life.now else len(view)
        found = await view.recall(now.about, self._k, upto=upto)
        ranked = {one.place: (-rank, one.own) for rank, one in enumerate(found)}
        places = sorted(ranked)
        pieces = list[Piece]()
        for place, event in zip(places, await view.pick(places), strict=True):
            rank, own = ranked[place]
            told = line(place, event)
            pieces.append(Piece(told if own or not told else told.marked(BESIDE), (place,), rank))
        return recollection(pieces, now.budget)


class RecallEntry(MemoryEntry, frozen=True):
    """a search: what matches best what goes on now"""

    k: Annotated[int, Meta(ge=1)] = 10
    """So many events come to mind at once."""

    def make(self, owner: Owner) -> Recall:
        return Recall(self.k)
