"""Cards: what a memory keeps one by one, each under a number, so that it can be put anew or taken back.

Each is a note that begins with its number. A later note of that number replaces it, or says that it no
longer holds: every version stays on the log, and only the newest comes to mind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from whoknew.agents.life import Life
from whoknew.eventlog import View


class Card(Struct, frozen=True, kw_only=True):
    """What stands under a number now."""

    number: int
    place: int
    text: str


class Cards:
    """The fold of the notes of one strategy, each under `title` and its number."""

    def __init__(self, strategy: str, title: str) -> None:
        self._strategy, self._title = strategy, title
        self._head = re.compile(rf"{title} (\d{{1,9}})(, no longer)?:\n")
        self._taken, self._newest = 0, 0
        self._by_number: dict[int, Card] = {}
        self._by_place: dict[int, Card] = {}

    def catch_up(self, life: Life) -> list[Card]:
        """Go on to the end of a life, and say what is new in it."""
        new = []
        for place, note in life.notes[self._taken :]:
            self._taken += 1
            if note.strategy != self._strategy:
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

    async def best(self, view: View, about: str, k: int) -> list[Card]:
        """Those that match best, the best first: of what holds now, as it reads now."""
        found = await view.recall(about, k, own=True, among=tuple(self._by_place))
        return [self._by_place[one.place] for one in found]

    async def near(self, view: View, texts: Sequence[str], k: int) -> list[Card]:
        """Those that match any of these texts best, `k` for each, in the order in which they stand."""
        found = {one.place: one for text in texts for one in await self.best(view, text, k)}
        return [found[place] for place in sorted(found)]

    def put(self, number: int, text: str) -> str:
        """The text of a note that puts something under a number."""
        return f"{self._title} {number}:\n{text}"

    def taken_back(self, card: Card) -> str:
        """The text of a note that says that it no longer holds."""
        return f"{self._title} {card.number}, no longer:\n{card.text}"
