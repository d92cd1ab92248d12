"""Who knows what: for each event and character at a cursor, one of four answers.

present: it witnessed the event. told: it witnessed a later one that is about it, done by someone
else. absent: neither. future: the event comes after the cursor.

Tellings carry on: one told of a telling is told of what that was about. So the chain from a
character back to a witness can be walked, teller by teller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.fork import FOREVER
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
    doubt: str = ""
    """Why it is open whether the character witnessed it."""


class Knowledge:
    """Who knows what at a cursor."""

    def __init__(self, live: LiveWorld, cursor: Cursor) -> None:
        self.cursor = cursor
        self._live = live
        self.characters = tuple(name for name, added in live.cast.items() if added <= cursor.seq)

    def of(self, event: int, character: str) -> Known:
        """What `character` knows of `event`."""
        return self.row(event, (character,))[0]

    def row(self, event: int, characters: Sequence[str]) -> tuple[Known, ...]:
        """What each of these characters knows of `event`, with the doubts about it."""
        self._check(characters)
        doubts = self.doubts(event)
        cells = self._cells(event, characters)
        if not doubts:
            return cells
        return tuple(replace(one, doubt=doubts.get(one.character, "")) for one in cells)

    def doubts(self, event: int) -> dict[str, str]:
        """Of whom it is open whether they witnessed `event`, and why."""
        known = self._live.doubts.get(event, {})
        return {name: why for name, (seq, why) in known.items() if seq <= self.cursor.seq}

    def doubtful(self) -> list[int]:
        """The events of which it is open who witnessed them, in order."""
        return [seq for seq in sorted(self._live.doubts) if self.doubts(seq)]

    def matrix(
        self, events: Iterable[int], characters: Sequence[str] | None = None
    ) -> list[list[Known]]:
        """A row for each event, a cell for each character."""
        columns = self.characters if characters is None else characters
        return [list(self.row(event, columns)) for event in events]

    def reached(self) -> dict[int, frozenset[str]]:
        """Whom tellings of each event reached, who may have been there themselves: of every event
        that was told of, in one walk back through all tellings."""
        found: dict[int, frozenset[str]] = {}
        same: dict[frozenset[str], frozenset[str]] = {}
        for event in sorted(self._live.tellings, reverse=True):
            names: set[str] = set()
            for telling in self._live.tellings[event]:
                if telling.seq <= self.cursor.seq:
                    names.update(name for name in telling.witnesses if name != telling.by)
                    names |= found.get(telling.seq, frozenset())
            found[event] = same.setdefault(frozenset(names), frozenset(names))
        return found

    def witnessed(self, character: str, events: Collection[int]) -> bool:
        """Whether a character witnessed any of these events."""
        seqs = self._live.witnessed.get(character, ())
        count = self._live.count(character, self.cursor.seq)
        if len(events) < count:
            return any(seq <= self.cursor.seq and self._live.seen(character, seq) for seq in events)
        return any(seq in events for seq in seqs[:count])

    def perceived(self, character: str) -> Sequence[int]:
        """The seqs of all that a character witnessed."""
        self._check((character,))
        return self._live.witnessed.get(character, ())[
            : self._live.count(character, self.cursor.seq)
        ]

    def told(self, character: str) -> dict[int, Known]:
        """All that a character was told of without having been there: of every event the telling
        that reached it first, in one walk back through all tellings."""
        first: dict[int, Telling] = {}
        for event in sorted(self._live.tellings, reverse=True):
            reaching = [
                telling if _reaches(telling, character) else first.get(telling.seq)
                for telling in self._live.tellings[event]
                if telling.seq <= self.cursor.seq
            ]
            if found := [telling for telling in reaching if telling is not None]:
                first[event] = min(found)
        return {
            event: Known(event, character, "told", telling.by, telling.seq)
            for event, telling in first.items()
            if not self._live.seen(character, event)
        }

    def trace(self, event: int, character: str) -> list[Known]:
        """The chain of tellings from `character` back to one who was present.

        It ends with a cell that is not "told": the witness, or, where a teller spoke of what it
        could not know, that teller's "absent".
        """
        chain = [self.of(event, character)]
        if chain[0].answer != "told":
            return chain
        first = self._first_tellings(event, (character,))
        while chain[-1].answer == "told" and (teller := chain[-1].by) is not None:
            told = first.get(teller)
            if told is not None and told.seq >= (chain[-1].at or 0):
                told = None  # only afterwards
            chain.append(self._cell(event, teller, told))
        return chain

    def _check(self, characters: Iterable[str]) -> None:
        for name in characters:
            if self._live.cast.get(name, FOREVER) > self.cursor.seq:
                raise NoSuchCharacter(name, self.cursor.world, self.characters)

    def _cells(self, event: int, characters: Sequence[str]) -> tuple[Known, ...]:
        if event > self.cursor.seq:
            return tuple(Known(event, name, "future") for name in characters)
        there = {name for name in characters if self._live.seen(name, event)}
        told = self._first_tellings(event, {name for name in characters if name not in there})
        return tuple(self._cell(event, name, told.get(name)) for name in characters)

    def _cell(self, event: int, character: str, told: Telling | None) -> Known:
        if self._live.seen(character, event):
            return Known(event, character, "present", at=event)
        if told is None:
            return Known(event, character, "absent")
        return Known(event, character, "told", told.by, told.seq)

    def _first_tellings(self, event: int, characters: Collection[str]) -> dict[str, Telling]:
        """The first telling that reached each, and whoever else it came to on the way: of the event,
        or of a telling of it. Tellings are walked in the order in which they happened, and no
        further than it takes."""
        first: dict[str, Telling] = {}
        waiting, met, todo = set(characters), {event}, list[Telling]()
        while waiting:
            for telling in self._live.tellings.get(event, ()):
                if telling.seq <= self.cursor.seq and telling.seq not in met:
                    met.add(telling.seq)
                    heappush(todo, telling)
            if not todo:
                break
            telling = heappop(todo)
            for name in telling.witnesses:
                if name != telling.by:
                    first.setdefault(name, telling)
                    waiting.discard(name)
            event = telling.seq
        return first


def _reaches(telling: Telling, character: str) -> bool:
    return character in telling.witnesses and character != telling.by
