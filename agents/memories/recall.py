"""Recall: of earlier episodes, what matches the present best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from whoknew.agents.agent import Note
from whoknew.agents.lines import Line, line
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.vectors import KEEPER, Vectors, strategy_of
from whoknew.agents.parts import Owner
from whoknew.eventlog import Event, View
from whoknew.eventlog.recall import Recalled

BESIDE = "(beside what matches)"
"""What only its neighbours lift is marked: it holds none of the words that brought it to mind. (To
leave it out costs a hundredth of what is found on LoCoMo: it is often the answer.)"""


class Recall(Memory):
    """The `k` best events of earlier episodes, in the order in which they happened."""

    def __init__(self, k: int, vectors: Vectors | None = None, share: float = 0.0) -> None:
        self._k, self._vectors, self._share = k, vectors, share

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, those that match least are left out."""
        view, life = now.view, now.life
        upto = life.now.first - 1 if life.now else len(view)
        beside = await self._vectors.beside(now, upto, self._share) if self._vectors else None
        found = await view.recall(now.about, self._k, upto=upto, beside=beside)
        return recollection(await found_pieces(view, found), now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        return await self._vectors.remember(now) if self._vectors else ()


class RecallEntry(MemoryEntry, frozen=True):
    """a search: what matches best what goes on now"""

    keeper: ClassVar[str] = KEEPER
    recalls: ClassVar[tuple[str, ...]] = ("k", "share")

    k: Annotated[int, Meta(ge=1)] = 10
    """So many events come to mind at once."""
    model: str = ""  # type: ignore[misc]
    """The address of a model that gives vectors, as "minilm:" or "http://HOST/v1#NAME". By them it finds
    what says the same in other words, too."""
    share: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """So much of a score is by vectors, the rest by words. (LoCoMo's open half, 997 questions, flat@10:
    by words 0.808; with MiniLM 0.815; by vectors alone 0.472. From 0.2 to 0.5 it makes little
    difference.)"""

    @property
    def calls_a_turn(self) -> int:  # type: ignore[override]
        return int(bool(self.model))

    @property
    def calls_an_episode(self) -> int:  # type: ignore[override]
        return int(bool(self.model))

    @property
    def keeps(self) -> str:  # type: ignore[override]
        return strategy_of(self.model) if self.model else ""

    def deciding(self) -> dict[str, Any]:
        return super().deciding() if self.model else {"k": self.k}

    def make(self, owner: Owner) -> Recall:
        return Recall(self.k, Vectors(self.model) if self.model else None, self.share)


async def found_pieces(
    view: View, found: Sequence[Recalled], told: Callable[[int, Event], Line] = line
) -> list[Piece]:
    """What a search found, as it is told, in the order in which it happened: what matches best has the
    highest rank."""
    ranked = {one.place: (-rank, one.own) for rank, one in enumerate(found)}
    places = sorted(ranked)
    pieces = list[Piece]()
    for place, event in zip(places, await view.pick(places), strict=True):
        rank, own = ranked[place]
        text = told(place, event)
        pieces.append(Piece(text if own or not text else text.marked(BESIDE), (place,), rank))
    return pieces
