"""Vectors of what one lived through: what says the same in other words lies near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whoknew.agents.agent import Note
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.models.model import EMBED, Message, Request
from whoknew.agents.models.vectors import rows_of, unpacked
from whoknew.eventlog.recall import Beside

if TYPE_CHECKING:
    import numpy

    from whoknew.agents.models.vectors import Rows

MOST = 256
"""So many texts go into one request, and one request is made when an episode ends: of a longer past
the earliest comes first, the rest when the next episodes end."""


def strategy_of(model: str) -> str:
    """The strategy of the notes that hold vectors of a model: those of another cannot be compared."""
    return f"vectors of {model}"


class Vectors:
    """The fold of the notes that hold them: a row for each place that has one, in order."""

    def __init__(self, model: str) -> None:
        self._strategy = strategy_of(model)
        self._taken = self._last = 0
        self._rows: list[tuple[tuple[int, ...], Rows]] = []

    async def beside(self, now: Occasion, upto: int, share: float) -> Beside | None:
        """How near each event up to a place is to what goes on now; nothing where none has a vector."""
        import numpy

        self._catch_up(now)
        rows = [(places, some) for places, some in self._rows if places[0] <= upto]
        if not rows or not now.about.strip():
            return None
        (asked,) = rows_of(await _embedded(now, (now.about,)), 1)
        scores: numpy.ndarray = numpy.zeros(upto)
        for places, some in rows:
            if some.shape[1] == len(asked):
                at = numpy.asarray(places) - 1
                scores[at[at < upto]] = (some @ asked)[at < upto]
        return Beside(scores, share)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        """A note with the vectors of what has none yet."""
        self._catch_up(now)
        texts = dict[int, str]()
        for place, event in enumerate(await now.view.events(self._last), start=self._last + 1):
            if line(place, event).text:
                texts[place] = event.text
            if len(texts) == MOST:
                break
        if not texts:
            return ()
        return (
            Note(self._strategy, "", tuple(texts), await _embedded(now, tuple(texts.values()))),
        )

    def _catch_up(self, now: Occasion) -> None:
        notes, self._taken = now.life.notes[self._taken :], len(now.life.notes)
        for _, note in notes:
            places = tuple(filter(None, map(now.view.place, note.sources)))
            if note.strategy == self._strategy and places and len(places) == len(note.sources):
                self._rows.append((places, rows_of(note.packed, len(places))))
                self._last = max(self._last, places[-1])


async def _embedded(now: Occasion, texts: tuple[str, ...]) -> bytes:
    request = Request(EMBED, tuple(Message("user", text) for text in texts))
    return unpacked((await now.model.complete(request)).text, len(texts))
