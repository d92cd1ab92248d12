"""Who knows what: for each event and character at a cursor, one of four answers.

present: it witnessed the event. told: it witnessed a later one that tells of it, done by someone
else. absent: neither. future: the event comes after the cursor.

A later event tells of an earlier one where it is declared to be about it, or where that was found.
Tellings carry on: one told of a telling is told of what that was about. So the chain from a
character back to a witness can be walked, teller by teller; and what is known by it is as sure as
the weakest telling of the chain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.fork import FOREVER
from whoknew.eventlog.live import LiveWorld
from whoknew.eventlog.tellings import DECLARED, WEAKEST_FIRST, FalseReport, How, Link, Telling

Answer = Literal["present", "told", "absent", "future"]

SURE = 0.5
"""Where nobody says how sure a telling must be: more likely so than not."""


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
    origin: How | None = None
    """Of the weakest telling by which it came: declared, or found by whom; and how sure that is."""
    score: float | None = None
    otherwise: FalseReport | None = None
    """What the character was told of it that is not so."""

    @property
    def how(self) -> str:
        """How it is known that the character was told."""
        if self.origin is None or self.score is None:
            return ""
        share = f"{self.score:.2f}".removeprefix("0").removesuffix("0")
        return self.origin if self.score == 1 else f"{self.origin} {share}"


Way = tuple[Telling, Link]
"""The telling by which something came to somebody, and the weakest link on the way."""


class Knowledge:
    """Who knows what at a cursor."""

    def __init__(
        self, live: LiveWorld, cursor: Cursor, *, sure: float = SURE, recorded: int = FOREVER
    ) -> None:
        """By tellings that are at least so `sure`, as they were on record at the seq `recorded`."""
        self.cursor, self.sure = cursor, sure
        self._live, self._recorded = live, recorded
        self.characters = tuple(name for name, added in live.cast.items() if added <= cursor.seq)

    @property
    def sought(self) -> int:
        """Up to which seq tellings were looked for: none past it are known but declared ones."""
        return self._live.tellings.sought(self.cursor.seq, self._recorded)

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
        upto = self.cursor.seq
        return {
            name: doubt.reason
            for seq, doubt in self._live.doubts.get(event, ())
            if seq <= upto
            for name in doubt.names
        }

    def doubtful(self) -> list[int]:
        """The events of which it is open who witnessed them, in order."""
        upto = self.cursor.seq
        return [seq for seq, doubts in sorted(self._live.doubts.items()) if doubts[0][0] <= upto]

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
        for event in self._live.tellings.told_of():
            names: set[str] = set()
            for telling in self._tellings(event):
                names.update(name for name in telling.witnesses if name != telling.by)
                names |= found.get(telling.seq, frozenset())
            found[event] = same.setdefault(frozenset(names), frozenset(names))
        return found

    def witnessed(self, character: str, events: Collection[int]) -> bool:
        """Whether a character witnessed any of these events."""
        return any(self._witnessed(character, events))

    def how_many(self, character: str, events: Collection[int]) -> int:
        """How many of these events a character witnessed."""
        self._check((character,))
        return sum(self._witnessed(character, events))

    def _witnessed(self, character: str, events: Collection[int]) -> Iterator[bool]:
        """Looked for in whichever is less: the events, or what the character witnessed."""
        seqs = self._live.witnessed.get(character, ())
        count = self._live.count(character, self.cursor.seq)
        if len(events) < count:
            return (seq <= self.cursor.seq and self._live.seen(character, seq) for seq in events)
        return (seq in events for seq in seqs[:count])

    def perceived(self, character: str) -> Sequence[int]:
        """The seqs of all that a character witnessed."""
        self._check((character,))
        return self._live.witnessed.get(character, ())[
            : self._live.count(character, self.cursor.seq)
        ]

    def told(self, character: str) -> dict[int, Known]:
        """All that a character was told of without having been there: of every event the telling
        that reached it first, in one walk back through all tellings."""
        first: dict[int, Way] = {}
        for event in self._live.tellings.told_of():
            way: Way | None = None
            for telling in self._tellings(event):
                if telling.reaches(character):
                    other = telling, telling.link
                elif further := first.get(telling.seq):
                    other = further[0], min(further[1], telling.link)
                else:
                    continue
                way = other if way is None else _better(way, other)
            if way is not None:
                first[event] = way
        seen = self._live.seen
        told = {
            event: _known(event, character, way)
            for event, way in first.items()
            if not seen(character, event)
        }
        for event in self._live.tellings.found.keys() & told.keys():
            [told[event]] = self._with_reports((told[event],))
        return told

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
            if told is not None and told[0].seq >= (chain[-1].at or 0):
                told = None  # only afterwards
            chain.append(self._cell(event, teller, told))
        return chain

    def is_news(self, event: int, teller: str, speech: int) -> bool:
        """Whether a teller, when it spoke, had neither witnessed an event nor been told of it."""
        known = self.of(event, teller)
        return known.answer == "absent" or (known.at or 0) >= speech

    def _check(self, characters: Iterable[str]) -> None:
        for name in characters:
            if self._live.cast.get(name, FOREVER) > self.cursor.seq:
                raise NoSuchCharacter(name, self.cursor.world, self.characters)

    def _cells(self, event: int, characters: Sequence[str]) -> tuple[Known, ...]:
        if event > self.cursor.seq:
            return tuple(Known(event, name, "future") for name in characters)
        there = {name for name in characters if self._live.seen(name, event)}
        told = self._first_tellings(event, {name for name in characters if name not in there})
        return self._with_reports([self._cell(event, name, told.get(name)) for name in characters])

    def _with_reports(self, cells: Sequence[Known]) -> tuple[Known, ...]:
        """Cells of one event, with what was told of it that is not so."""
        if not cells or cells[0].event not in self._live.tellings.found:
            return tuple(cells)
        event, upto = cells[0].event, self.cursor.seq
        reports = self._live.tellings.false_reports(event, upto, self.sure, self._recorded)
        return tuple(_misled(cell, reports) for cell in cells)

    def _cell(self, event: int, character: str, way: Way | None) -> Known:
        if self._live.seen(character, event):
            return Known(event, character, "present", at=event)
        if way is None:
            return Known(event, character, "absent")
        return _known(event, character, way)

    def _first_tellings(self, event: int, characters: Collection[str]) -> dict[str, Way]:
        """The first telling that reached each, and whoever else it came to on the way: of the event,
        or of a telling of it. Tellings are walked in the order in which they happened, and no
        further than it takes; each is as sure as the surest way to it."""
        first: dict[str, Way] = {}
        waiting, links, todo = set(characters), {event: DECLARED}, list[int]()
        met: dict[int, Telling] = {}
        while waiting:
            for telling in self._tellings(event):
                link = min(links[event], telling.link)
                if telling.seq not in met:
                    met[telling.seq], links[telling.seq] = telling, link
                    heappush(todo, telling.seq)
                elif link > links[telling.seq]:
                    links[telling.seq] = link
            if not todo:
                break
            event = heappop(todo)
            telling = met[event]
            for name in telling.witnesses:
                if name != telling.by:
                    first.setdefault(name, (telling, links[event]))
                    waiting.discard(name)
        return first

    def _tellings(self, event: int) -> Sequence[Telling]:
        """What tells of an event up to the cursor, in order."""
        return self._live.tellings.of(event, self.cursor.seq, self.sure, self._recorded)


def _known(event: int, character: str, way: Way) -> Known:
    telling, (score, rank) = way
    return Known(
        event,
        character,
        "told",
        telling.by,
        telling.seq,
        origin=WEAKEST_FIRST[rank],
        score=score,
    )


def _better(one: Way, other: Way) -> Way:
    """The earlier telling; of two ways to the same, the surer."""
    if one[0].seq != other[0].seq:
        return one if one[0].seq < other[0].seq else other
    return max(one, other, key=lambda way: way[1])


def _misled(cell: Known, reports: Sequence[tuple[FalseReport, tuple[str, ...]]]) -> Known:
    """The cell with the first false report that its character heard."""
    if cell.answer == "present":
        return cell
    for report, witnesses in reports:
        if cell.character in witnesses and cell.character != report.by:
            return replace(cell, otherwise=report)
    return cell
