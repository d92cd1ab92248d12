"""What memories have in common that are searched: how many come to mind, and what finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from whoknew.agents.lines import Line, line
from whoknew.agents.memories.memory import MemoryEntry, Piece
from whoknew.agents.memories.vectors import Strategy, Vectors
from whoknew.eventlog import Event, View
from whoknew.eventlog.recall import Recalled

BESIDE = "(beside what matches)"
"""What only its neighbours lift is marked: it holds none of the words that brought it to mind. (To
leave it out costs a hundredth of what is found on LoCoMo: it is often the answer.)"""


class SearchEntry(MemoryEntry, frozen=True):
    """A memory in which is searched by words, and, where it has an embedder, by vectors, too."""

    recalls: ClassVar[tuple[str, ...]] = ("k", "share")
    notes: ClassVar[str] = ""
    """What its notes are called that say something; nothing where they hold vectors alone."""

    k: Annotated[int, Meta(ge=1)] = 10
    """So many come to mind at once."""
    embedder: str = ""  # type: ignore[misc]
    """The address of a model that gives vectors, as "minilm:" or "http://HOST/v1#NAME". By them it finds
    what says the same in other words, too."""
    share: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """So much of a score is by vectors, the rest by words. (LoCoMo's open half, 997 questions, recall,
    flat@10: by words 0.808; with MiniLM 0.815; by vectors alone 0.472. From 0.2 to 0.5 it makes little
    difference.)"""

    @property
    def calls_a_turn(self) -> int:  # type: ignore[override]
        return self.vectors_a_turn

    @property
    def vectors_a_turn(self) -> int:  # type: ignore[override]
        return int(bool(self.embedder))

    @property
    def vectors_an_episode(self) -> int:  # type: ignore[override]
        return int(bool(self.embedder))

    @property
    def strategy(self) -> Strategy:
        return Strategy(self.notes, self.embedder)

    @property
    def keeps(self) -> str:  # type: ignore[override]
        return self.strategy.name

    def deciding(self) -> dict[str, Any]:
        found = super().deciding()
        if not self.embedder:
            del found["embedder"], found["share"]
        return found

    def vectors(self) -> Vectors | None:
        return Vectors(self.strategy, self.share) if self.embedder else None


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
