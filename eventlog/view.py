"""What one character can know at a cursor: the only thing that a character ever reads.

A view is a pure function of world, character and cursor (law 2). It is cut when it is made: what
is appended later is not in it, and what others witnessed never is.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from typing import NoReturn, Protocol

from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.errors import BadSearch
from whoknew.eventlog.event import Event
from whoknew.eventlog.live import LiveWorld
from whoknew.eventlog.ranking import RANKING, Ranking
from whoknew.eventlog.recall import Beside, Postings, Recalled

PAGE = 1000


class Shelf(Protocol):
    """Where a view finds the events whose seqs it knows."""

    async def pick(self, live: LiveWorld, seqs: Sequence[int]) -> list[Event]: ...


class View:
    """The events that `character` witnessed up to `cursor`, in order.

    In text for a character, cite an event by its place in the view, from 1: a seq would tell how
    much happened unseen (law 4). Nothing of a view can be set: minds and judges are handed it.
    """

    character: str
    cursor: Cursor
    _ranking: Ranking
    _shelf: Shelf
    _live: LiveWorld
    _seqs: Sequence[int]
    _count: int

    def __init__(
        self,
        shelf: Shelf,
        live: LiveWorld,
        character: str,
        cursor: Cursor,
        ranking: Ranking = RANKING,
    ) -> None:
        own = self.__dict__
        own["character"], own["cursor"], own["_ranking"] = character, cursor, ranking
        own["_shelf"], own["_live"] = shelf, live
        own["_seqs"] = live.witnessed.get(character, ())
        own["_count"] = live.count(character, cursor.seq)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} stays as it is: ask its log for another view")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, seq: object) -> bool:
        return (
            isinstance(seq, int) and seq <= self.cursor.seq and self._live.seen(self.character, seq)
        )

    def __repr__(self) -> str:
        return f"<View of {self.character} at {self.cursor.world} #{self.cursor.seq}: {len(self)}>"

    def ranked(self, ranking: Ranking) -> View:
        """The same view, where a search goes by this ranking."""
        if ranking is self._ranking:
            return self
        return View(self._shelf, self._live, self.character, self.cursor, ranking)

    def seqs(self, after: int = 0) -> Sequence[int]:
        """The seqs of the events past the first `after`."""
        return self._seqs[after : self._count]

    def seq(self, place: int) -> int:
        """Which seq stands at a place of the view, from 1."""
        if not 0 < place <= self._count:
            raise IndexError(f"{self!r} has no place {place}")
        return self._seqs[place - 1]

    def before(self, seq: int) -> int:
        """How many events of the view come before a seq."""
        return min(self._count, self._live.count(self.character, seq - 1))

    def place(self, seq: int) -> int | None:
        """At which place of the view a seq stands, from 1."""
        return self._live.count(self.character, seq) if seq in self else None

    async def events(self, after: int = 0, upto: int | None = None) -> list[Event]:
        """The events at the places past `after`, up to and including `upto`."""
        upto = self._count if upto is None else max(0, min(upto, self._count))
        return await self._shelf.pick(self._live, self._seqs[max(0, after) : upto])

    async def last(self, count: int) -> list[Event]:
        return await self.events(max(0, self._count - count))

    async def __aiter__(self) -> AsyncIterator[Event]:
        for after in range(0, self._count, PAGE):
            for event in await self.events(after, after + PAGE):
                yield event

    async def pick(self, places: Sequence[int]) -> list[Event]:
        """The events at these places, which rise."""
        return await self._shelf.pick(self._live, [self.seq(place) for place in places])

    async def recall(
        self,
        words: str,
        k: int = 10,
        *,
        upto: int | None = None,
        own: bool = False,
        among: Sequence[int] | None = None,
        beside: Beside | None = None,
    ) -> list[Recalled]:
        """The `k` events of the view that best match the words, the best first: of those up to the
        place `upto`, and at the places `among`, where they are given; with `own`, only of those that
        hold some of the words themselves. What else they are scored by is given as `beside`, for the
        search among all of them."""
        if not isinstance(words, str) or not isinstance(k, int):
            raise BadSearch(
                f"{self!r} cannot be searched for {words!r:.80}, {k!r} events: give words as a text, "
                "and a whole number of events"
            )
        postings = await self._postings()
        found = postings.search(
            words,
            self._count,
            k,
            upto=upto,
            own=own,
            among=among,
            ranking=self._ranking,
            beside=beside,
        )
        events = await self.pick(sorted(one.number + 1 for one in found))
        texts = {event.seq: event.text for event in events}
        return [
            Recalled(one.number + 1, seq, one.score, texts[seq], one.own)
            for one in found
            for seq in [self._seqs[one.number]]
        ]

    async def _postings(self) -> Postings:
        """The postings of this character's life, grown to reach the cursor."""
        if "numpy" not in sys.modules:  # a tenth of a second, which would hold up everybody else
            await asyncio.to_thread(import_module, "numpy")
        postings = self._live.postings.setdefault(self.character, Postings())
        while (done := len(postings)) < self._count:
            events = await self.events(done, done + PAGE)
            if len(postings) == done:  # nobody else grew them meanwhile
                postings.extend(events)
            await asyncio.sleep(0)
        return postings
