"""Recall: of earlier episodes, what matches the present best."""

from __future__ import annotations

from typing import ClassVar

from whoknew.agents.agent import Note
from whoknew.agents.memories.memory import Memory, Occasion, Recollection, recollection
from whoknew.agents.memories.search import SearchEntry, found_pieces
from whoknew.agents.memories.vectors import KEEPER, Vectors
from whoknew.agents.parts import Owner


class Recall(Memory):
    """The `k` best events of earlier episodes, in the order in which they happened."""

    def __init__(self, k: int, vectors: Vectors | None = None) -> None:
        self._k, self._vectors = k, vectors

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, those that match least are left out."""
        beside = await self._vectors.beside(now, now.before) if self._vectors else None
        found = await now.view.recall(now.about, self._k, upto=now.before, beside=beside)
        return recollection(await found_pieces(now.view, found), now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        return await self._vectors.remember(now) if self._vectors else ()


class RecallEntry(SearchEntry, frozen=True):
    """a search: what matches best what goes on now"""

    keeper: ClassVar[str] = KEEPER

    @property
    def calls_an_episode(self) -> int:  # type: ignore[override]
        return self.vectors_an_episode

    def make(self, owner: Owner) -> Recall:
        return Recall(self.k, self.vectors())
