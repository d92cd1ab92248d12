"""Cards: what a memory keeps one by one, each under a number, so that it can be put anew or taken back.

Each is a note that begins with its number. A later note of that number replaces it, or says that it no
longer holds: every version stays on the log, and only the newest comes to mind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.memories.search import SearchEntry
from whoknew.eventlog import View
from whoknew.eventlog.recall import Beside


class CardsEntry(SearchEntry, frozen=True):
    """A memory whose cards are made when an episode ends: one call draws new ones out of it, a second
    holds each against those that are there, and a third is for the vectors of what came of it."""

    near: Annotated[int, Meta(ge=1)] = 5
    """Each new card is held against so many old ones, found by words."""

    @property
    def calls_an_episode(self) -> int:  # type: ignore[override]
        return 2 + self.vectors_an_episode


class Card(Struct, frozen=True, kw_only=True):
    """What stands under a number now."""

    number: int
    place: int
    text: str


class Cards:
    """The fold of the notes of a memory, each under `title` and its number."""

    def __init__(self, settings: CardsEntry, title: str) -> None:
        self._settings, self._title = settings, title
        self._strategy, self._vectors = settings.strategy, settings.vectors()
        self._head = re.compile(rf"{title} (\d{{1,9}})(, no longer)?:\n")
        self._taken, self._newest = 0, 0
        self._by_number: dict[int, Card] = {}
        self._by_place: dict[int, Card] = {}

    def catch_up(self, life: Life) -> list[Card]:
        """Go on to the end of a life, and say what is new in it."""
        new = []
        for place, note in life.notes[self._taken :]:
            self._taken += 1
            if not self._strategy.includes(note):
                continue
            head = self._head.match(note.text)
            number = int(head[1]) if head else self.next_number
            self._newest = max(self._newest, number)
            if before := self._by_number.pop(number, None):
                del self._by_place[before.place]
            if head and head[2]:
                continue
            text = note.text[head.end() :] if head else note.text
            card = Card(number=number, place=place, text=text)
            self._by_number[number] = self._by_place[place] = card
            new.append(card)
        return new

    @property
    def next_number(self) -> int:
        return self._newest + 1

    def get(self, number: int) -> Card | None:
        return self._by_number.get(number)

    async def best(self, now: Occasion) -> list[Card]:
        """The `k` that match best, the best first: of what holds now, as it reads now."""
        beside = await self._vectors.beside(now, len(now.view)) if self._vectors else None
        return await self._found(now.view, now.about, self._settings.k, beside)

    async def near(self, view: View, texts: Sequence[str]) -> list[Card]:
        """Those that match any of these texts best, so many for each, in the order in which they stand."""
        near = self._settings.near
        found = {one.place: one for text in texts for one in await self._found(view, text, near)}
        return [found[place] for place in sorted(found)]

    async def kept(self, now: Occasion, notes: Sequence[Note]) -> tuple[Note, ...]:
        """What is to be kept, with its vectors where there is an embedder."""
        return await self._vectors.beside_each(now, notes) if self._vectors else tuple(notes)

    async def _found(
        self, view: View, about: str, k: int, beside: Beside | None = None
    ) -> list[Card]:
        among = tuple(self._by_place)
        found = await view.recall(about, k, own=True, among=among, beside=beside)
        return [self._by_place[one.place] for one in found]

    def put(self, number: int, text: str) -> str:
        """The text of a note that puts something under a number."""
        return f"{self._title} {number}:\n{text}"

    def taken_back(self, card: Card) -> str:
        """The text of a note that says that it no longer holds."""
        return f"{self._title} {card.number}, no longer:\n{card.text}"
