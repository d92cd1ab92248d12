"""Vectors of what one lived through: what says the same in other words lies near."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.models.address import RECORDED
from whoknew.agents.models.model import EMBED, Message, Request
from whoknew.agents.models.vectors import rows_of, unpacked
from whoknew.eventlog.kinds import Remembered
from whoknew.eventlog.recall import Beside

if TYPE_CHECKING:
    import numpy

    from whoknew.agents.models.vectors import Rows

MOST = 256
"""So many texts go into one request, and one request is made when an episode ends: of a longer past
the earliest comes first, the rest when the next episodes end."""


STRATEGY = "vectors of "

KEEPER = "vectors"
"""The name under which exams know what is kept here, by whatever memory."""


def strategy_of(model: str) -> str:
    """The strategy of the notes that hold vectors of a model: those of another cannot be compared. Of
    what was recorded it is not known beforehand whose they are: nothing."""
    return "" if model.startswith(RECORDED) else f"{STRATEGY}{model}"


class Vectors:
    """The fold of the notes that hold them: a row for each place that has one, in order."""

    def __init__(self, model: str) -> None:
        self._model, self._strategy = model, strategy_of(model)
        self._taken = 0
        self._places: list[int] = []
        self._rows: Rows | None = None
        """A row for each of the places, and room for more."""

    def between(self, now: Occasion, after: int, upto: int) -> Iterator[tuple[int, numpy.ndarray]]:
        """The vectors of what stands behind one place, up to another, each with its own place."""
        self._catch_up(now)
        for number in range(self._upto(after), self._upto(upto)):
            assert self._rows is not None, "it has places"
            yield self._places[number], self._rows[number]

    async def asked(self, now: Occasion) -> numpy.ndarray:
        """The vector of what goes on now."""
        data, _ = await self._embedded(now, (now.about,))
        vector: numpy.ndarray = rows_of(data, 1)[0]
        return vector

    async def beside(self, now: Occasion, upto: int, share: float) -> Beside | None:
        """How near each event up to a place is to what goes on now; nothing where none has a vector."""
        import numpy

        self._catch_up(now)
        count = self._upto(upto)
        if self._rows is None or not count or not now.about.strip():
            return None
        asked = await self.asked(now)
        scores: numpy.ndarray = numpy.zeros(upto)
        # By a product of matrices on several processors, which wait for each other: ten times as long.
        near = numpy.einsum("ij,j->i", self._rows[:count], asked)
        scores[numpy.asarray(self._places[:count]) - 1] = near
        return Beside(scores, share)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        """A note with the vectors of what has none yet."""
        self._catch_up(now)
        texts = dict[int, str]()
        for place, event in enumerate(await now.view.events(self._newest), start=self._newest + 1):
            if line(place, event).text and event.text.strip():
                texts[place] = event.text
            if len(texts) == MOST:
                break
        if not texts:
            return ()
        data, model = await self._embedded(now, tuple(texts.values()))
        return (Note(strategy_of(model), "", tuple(texts), data),)

    def _catch_up(self, now: Occasion) -> None:
        notes, self._taken = now.life.notes[self._taken :], len(now.life.notes)
        for _, note in notes:
            places = tuple(filter(None, map(now.view.place, note.sources)))
            if self._is_mine(note) and places and len(places) == len(note.sources):
                rows = rows_of(note.packed, len(places))
                if places[0] > self._newest and self._fits(rows):
                    self._add(places, rows)

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
        self._places += places

    def _fits(self, rows: Rows) -> bool:
        """Whether they are as long as those that are there."""
        return self._rows is None or rows.shape[1] == self._rows.shape[1]

    def _upto(self, place: int) -> int:
        """How many have a vector up to a place."""
        return bisect_right(self._places, place)

    @property
    def _newest(self) -> int:
        return self._places[-1] if self._places else 0

    def _is_mine(self, note: Remembered) -> bool:
        return note.strategy == self._strategy or (
            not self._strategy and note.strategy.startswith(STRATEGY)
        )

    async def _embedded(self, now: Occasion, texts: tuple[str, ...]) -> tuple[bytes, str]:
        """A vector of each text, and whose they are. They have to be as long as those before them."""
        request = Request(EMBED, tuple(Message("user", text) for text in texts))
        reply = await now.model.complete(request)
        data = unpacked(reply.text, len(texts))
        size = len(data) // len(texts) // 2
        if self._rows is not None and size != (before := self._rows.shape[1]):
            raise BadAnswer(
                f"{self._model} gave vectors of {before} numbers before, and now of {size}: it is "
                "another model under the same address; give it an address of its own"
            )
        return data, self._model if self._strategy else reply.model or self._model
