"""Checking that a log is what was written: every byte of every event, and the order they stand in.

For each world it walks the hash chain and names the first seq that is wrong. What only the store
can see (a torn page, an index that misses a row) the store says.
"""

from __future__ import annotations

from msgspec import Struct

from whoknew.eventlog.chain import GENESIS, Head, link
from whoknew.eventlog.errors import Damaged, LogError
from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import WorldForked
from whoknew.eventlog.log import Log
from whoknew.eventlog.stores.store import Record, World

PAGE = 1000


class Fault(Struct, frozen=True):
    """Something wrong. Without a world it was the store that found it."""

    what: str
    world: str | None = None
    seq: int | None = None

    def __str__(self) -> str:
        return f"{self.world} #{self.seq}: {self.what}" if self.world else self.what


class Verified(Struct, frozen=True):
    """How much was checked, where each world stood, and what was found."""

    events: int
    heads: tuple[Head, ...]
    faults: tuple[Fault, ...]


async def verify(log: Log, world: str | None = None) -> Verified:
    """Check one world with all of its past, or every world and the store's own files."""
    faults = [] if world else [Fault(what) for what in await log.store.check()]
    heads: list[Head] = []
    events = 0
    for one in await _lineage(log, world) if world else await log.worlds():
        walk = _Walk(log, one)
        fault = await walk.to_its_end()
        events += walk.seq - one.forked_at
        heads.append(walk.head)
        faults += [fault] if fault else []
    return Verified(events, tuple(heads), tuple(faults))


async def _lineage(log: Log, world: str) -> list[World]:
    return [await log.past.find(segment.world) for segment in await log.past.lineage(world)]


class _Walk:
    """Along a world's own events, from the hash they start from to the head."""

    def __init__(self, log: Log, world: World) -> None:
        self._log, self._world = log, world
        self.seq = world.forked_at
        self.previous = GENESIS
        self._last: Event | None = None

    @property
    def head(self) -> Head:
        at, recorded = (self._last.at, self._last.recorded) if self._last else (None, None)
        return Head(self._world.name, self.seq, self.previous, at, recorded)

    async def to_its_end(self) -> Fault | None:
        world = self._world
        try:
            if world.parent:
                parent = await self._log.past.record(world.parent, world.forked_at)
                if parent is None:
                    return self._fault(f"it is forked from {world.parent}, which ends before that")
                self.previous = parent.hash
            while self.seq < world.head:
                for record in await self._page():
                    if wrong := self._wrong(record):
                        return self._fault(wrong)
        except LogError as error:
            return self._fault(str(error))
        return None

    async def _page(self) -> list[Record]:
        """The next records: one at a time where a page of them cannot be read."""
        store, name, head = self._log.store, self._world.name, self._world.head
        try:
            page = await store.records(name, self.seq, head, PAGE)
        except Damaged:
            page = await store.records(name, self.seq, head, 1)
        if not page:
            raise Damaged("it is missing")
        return page

    def _wrong(self, record: Record) -> str | None:
        """What is wrong with the record; where nothing is, step past it."""
        if record.seq != self.seq + 1:
            return f"it is missing: the next one is #{record.seq}"
        if link(self.previous, record.body) != record.hash:
            return "its bytes are not the ones that were hashed"
        event = self._log.codec.decode(record.body)
        if wrong := self._misplaced(event) or self._mislabelled(event, record):
            return wrong
        self.seq, self.previous, self._last = record.seq, record.hash, event
        return None

    def _misplaced(self, event: Event) -> str | None:
        world, last = self._world, self._last
        if (event.world, event.seq) != (world.name, self.seq + 1):
            return f"it says of itself that it is {event.world} #{event.seq}"
        if last and (event.at < last.at or event.recorded < last.recorded):
            return "its time is before that of the event before it"
        forked = WorldForked(world.parent, world.forked_at) if world.parent else None
        if event.seq == world.forked_at + 1 and forked and event.body != forked:
            return f"the store has it as forked from {world.parent} #{world.forked_at}"
        return None

    def _mislabelled(self, event: Event, record: Record) -> str | None:
        begins = event.key is not None and (self._last is None or self._last.key != event.key)
        if record.key != (event.key if begins else None):
            return f"the store has it under the key {record.key!r}"
        if bool(record.landmark) != event.body.landmark:
            return "the store has it wrongly among the landmarks"
        return None

    def _fault(self, what: str) -> Fault:
        return Fault(what, self._world.name, self.seq + 1)
