"""Vectors of what one lived through, and of what one noted: what says the same in other words lies near."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import line
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.models.address import RECORDED
from whoknew.agents.models.model import EMBED, Message, Request
from whoknew.agents.models.vectors import rows_in, rows_of, unpacked
from whoknew.eventlog.kinds import Remembered
from whoknew.eventlog.recall import Beside

if TYPE_CHECKING:
    import numpy

    from whoknew.agents.models.vectors import Rows

MOST = 256
"""So many texts go into one request. Of what happened one is made when an episode ends: of a longer past
the earliest comes first, the rest when the next episodes end. Of what was noted at one end, what is
beyond that has no vector."""

KEEPER = "vectors"
"""The name under which exams know what is kept of events alone, by whatever memory."""


class Strategy(Struct, frozen=True):
    """By what a memory knows its own notes: by what they are `of`, where they say anything, and by the
    embedder whose vectors they hold, where it has one: those of another cannot be compared."""

    of: str = ""
    embedder: str = ""

    @property
    def name(self) -> str:
        """Of what was recorded it is not known beforehand whose vectors they are: nothing."""
        return "" if self.embedder.startswith(RECORDED) else self.by(self.embedder)

    def by(self, embedder: str) -> str:
        """The strategy of notes with the vectors of an embedder."""
        return f"{self._vectors}{embedder}" if embedder else self.of

    def includes(self, note: Remembered) -> bool:
        return note.strategy == self.name or (
            not self.name and note.strategy.startswith(self._vectors)
        )

    @property
    def _vectors(self) -> str:
        return f"{self.of}, vectors of " if self.of else "vectors of "


class Vectors:
    """The fold of the notes that hold them: a row for each place that has one. A note without words holds
    those of the places that it rests on, any other the one of what it says."""

    def __init__(self, strategy: Strategy, share: float = 1.0) -> None:
        """By them is so large a share of a score."""
        self._strategy, self._share = strategy, share
        self._taken = self._newest = 0
        """So many notes were looked at; the last of what happened that has a vector."""
        self._places = array("I")
        self._rows: Rows | None = None
        """A row for each of the places, and room for more."""

    def between(self, now: Occasion, after: int, upto: int) -> Iterator[tuple[int, numpy.ndarray]]:
        """The vectors of what stands behind one place, up to another, each with its own place."""
        self._catch_up(now)
        for number, place in enumerate(self._places):
            if after < place <= upto:
                assert self._rows is not None, "it has places"
                yield place, self._rows[number]

    async def asked(self, now: Occasion) -> numpy.ndarray:
        """The vector of what goes on now."""
        data, _ = await self._embedded(now, (now.about,))
        vector: numpy.ndarray = rows_of(data, 1)[0]
        return vector

    async def beside(self, now: Occasion, upto: int) -> Beside | None:
        """How near what stands up to a place is to what goes on now; nothing where none has a vector."""
        import numpy

        self._catch_up(now)
        places = numpy.array(self._places, dtype=numpy.intp)
        there = places <= upto
        if self._rows is None or not there.any() or not now.about.strip():
            return None
        asked = await self.asked(now)
        scores: numpy.ndarray = numpy.zeros(upto)
        # By a product of matrices on several processors, which wait for each other: ten times as long.
        near = numpy.einsum("ij,j->i", self._rows[: len(places)], asked)
        scores[places[there] - 1] = near[there]
        return Beside(scores, self._share)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        """A note with the vectors of what happened and has none yet."""
        self._catch_up(now)
        texts = dict[int, str]()
        place = self._newest
        async for event in event_by_event(now.view, place):
            place += 1
            if line(place, event).text and event.text.strip():
                texts[place] = event.text
            if len(texts) == MOST:
                break
        if not texts:
            return ()
        data, embedder = await self._embedded(now, tuple(texts.values()))
        return (Note(self._strategy.by(embedder), "", tuple(texts), data),)

    async def beside_each(self, now: Occasion, notes: Sequence[Note]) -> tuple[Note, ...]:
        """Notes, each with the vector of what it says."""
        if not notes:
            return ()
        self._catch_up(now)
        some = notes[:MOST]
        data, embedder = await self._embedded(now, tuple(map(_said, some)))
        size = len(data) // len(some)
        strategy = self._strategy.by(embedder)
        return tuple(
            replace(note, strategy=strategy, packed=data[number * size : (number + 1) * size])
            for number, note in enumerate(notes)
        )

    def _catch_up(self, now: Occasion) -> None:
        notes, self._taken = now.life.notes[self._taken :], len(now.life.notes)
        for at, note in notes:
            if not (note.packed and self._strategy.includes(note)):
                continue
            places = (at,) if note.text else tuple(filter(None, map(now.view.place, note.sources)))
            if not places or not (note.text or len(places) == len(note.sources)):
                continue
            rows = rows_in(note.packed, len(places))
            if rows is None or not self._fits(rows):
                continue
            if note.text or places[0] > self._newest:
                self._add(places, rows)
                self._newest = self._newest if note.text else places[-1]

    def _add(self, places: Sequence[int], rows: Rows) -> None:
        """Where there is no room, for twice as many: so that to add all of them takes no longer the more
        there are."""
        import numpy

        known, count = self._rows, len(self._places)
        if known is None or count + len(rows) > len(known):
            room = numpy.empty((2 * (count + len(rows)), rows.shape[1]), numpy.float32)
            if known is not None:
                room[:count] = known[:count]
            self._rows = known = room
        known[count : count + len(rows)] = rows
        self._places.extend(places)

    def _fits(self, rows: Rows) -> bool:
        """Whether they are as long as those that are there."""
        return self._rows is None or rows.shape[1] == self._rows.shape[1]

    async def _embedded(self, now: Occasion, texts: tuple[str, ...]) -> tuple[bytes, str]:
        """A vector of each text, and whose they are. They have to be as long as those before them."""
        messages = tuple(Message("user", text) for text in texts)
        reply = await now.model.complete(Request(EMBED, messages, shared=True))
        data, ours = unpacked(reply.text, len(texts)), self._strategy.embedder
        size = len(data) // len(texts) // 2
        if self._rows is not None and size != (before := self._rows.shape[1]):
            raise BadAnswer(
                f"{ours} gave vectors of {before} numbers before, and now of {size}: it is "
                "another model under the same address; give it an address of its own"
            )
        return data, ours if self._strategy.name else reply.model or ours


def _said(note: Note) -> str:
    """What a note says: its first line is a title."""
    return note.text.partition("\n")[2].strip() or note.text
