"""Who knows what: for each event and character at a cursor, one of four answers.

present: it witnessed the event. told: it witnessed a later one that is about it, done by someone
else. absent: neither. future: the event comes after the cursor.

Tellings carry on: one told of a telling is told of what that was about. So the chain from a
character back to a witness can be walked, teller by teller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.live import LiveWorld, Telling

Answer = Literal["present", "told", "absent", "future"]


class Known(Struct, frozen=True, omit_defaults=True):
    """One cell: what a character knows of an event. `by` told it, at the event `at`; a telling
    without an actor is a narration or a page that speaks for itself."""

    event: int
    character: str
    answer: Answer
    by: str | None = None
    at: int | None = None


class Knowledge:
    """Who knows what at a cursor."""

    def __init__(self, live: LiveWorld, cursor: Cursor) -> None:
        self.cursor = cursor
        self._live = live
        self.characters = tuple(name for name, added in live.cast.items() if added <= cursor.seq)

    def of(self, event: int, character: str) -> Known:
        """What `character` knows of `event`."""
        if character not in self.characters:
            raise NoSuchCharacter(character, self.cursor.world, self.characters)
        return self._cell(event, character)

    def matrix(
        self, events: Iterable[int], characters: Sequence[str] | None = None
    ) -> list[list[Known]]:
        """A row for each event, a cell for each character."""
        columns = self.characters if characters is None else characters
        return [[self.of(event, character) for character in columns] for event in events]

    def trace(self, event: int, character: str) -> list[Known]:
        """The chain of tellings from `character` back to one who was present.

        It ends with a cell that is not "told": the witness, or, where a teller spoke of what it
        could not know, that teller's "absent".
        """
        chain = [self.of(event, character)]
        while chain[-1].answer == "told" and (teller := chain[-1].by) is not None:
            earlier = Knowledge(self._live, Cursor(self.cursor.world, (chain[-1].at or 1) - 1))
            chain.append(earlier._cell(event, teller))
        return chain

    def _cell(self, event: int, character: str) -> Known:
        if event > self.cursor.seq:
            return Known(event, character, "future")
        if self._live.seen(character, event):
            return Known(event, character, "present", at=event)
        if telling := self._first_telling(event, character):
            return Known(event, character, "told", telling.by, telling.seq)
        return Known(event, character, "absent")

    def _first_telling(self, event: int, character: str) -> Telling | None:
        """The first telling that reached the character: of the event, or of a telling of it."""
        first: Telling | None = None
        reached, todo = {event}, [event]
        while todo:
            for telling in self._live.tellings.get(todo.pop(), ()):
                if telling.seq > self.cursor.seq or telling.seq in reached:
                    continue
                reached.add(telling.seq)
                todo.append(telling.seq)
                heard = character in telling.witnesses and telling.by != character
                if heard and (first is None or telling.seq < first.seq):
                    first = telling
        return first
