"""Checking that a log is what was written: every byte of every event, and the order they stand in.

For each world it walks the hash chain (`soundness.py`) and names the first seq that is wrong. What only the store
can see (a torn page, an index that misses a row) the store says.
"""

from __future__ import annotations

from msgspec import Struct

from whoknew.eventlog.chain import Head
from whoknew.eventlog.errors import Damaged, LogError
from whoknew.eventlog.log import Log
from whoknew.eventlog.portions import MOST
from whoknew.eventlog.soundness import Seams, Walk
from whoknew.eventlog.stamp import Tip
from whoknew.eventlog.stores.store import Record, World


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
    try:
        faults = [] if world else [Fault(what) for what in await log.store.check()]
        worlds = await _lineage(log, world) if world else await log.worlds()
    except Damaged as error:
        return Verified(0, (), (Fault(str(error)),))
    seams = Seams(worlds)
    heads: list[Head] = []
    events = 0
    for one in worlds:
        tip, fault = await _walked(log, one, seams)
        heads.append(Head(one.name, tip.seq, tip.hash, tip.at, tip.recorded))
        events += tip.seq - one.forked_at
        faults += [fault] if fault else []
    return Verified(events, tuple(heads), tuple(faults))


async def _lineage(log: Log, world: str) -> list[World]:
    return [await log.lineage.find(segment.world) for segment in await log.lineage.lineage(world)]


async def _walked(log: Log, world: World, seams: Seams) -> tuple[Tip, Fault | None]:
    """How far along its own events a world is sound, and what stops there."""
    tip = Tip(world=world.name, seq=world.forked_at)
    try:
        tip = seams.beginning(world) or await _beginning(log, world)
        walk = Walk(world, tip, log.codec)
        if world.head == world.forked_at:
            raise Damaged("it is missing: a world has one event at least")
        while tip.seq < world.head:
            for record in await _page(log, world, tip.seq):
                _compare(record, walk.step(record.seq, record.hash, record.body))
                tip = walk.tip
                seams.note(tip)
    except LogError as error:
        return tip, Fault(str(error), world.name, tip.seq + 1)
    return tip, None


async def _beginning(log: Log, world: World) -> Tip:
    """What a fork goes on from whose parent was not sound up to there: as the store has it."""
    assert world.parent is not None
    tip = await log.lineage.tip(world.parent, world.forked_at)
    tip.world = world.name
    return tip


async def _page(log: Log, world: World, after: int) -> list[Record]:
    """The next records: one at a time where a page of them cannot be read."""
    try:
        page = await log.store.records(world.name, after, world.head, MOST)
    except Damaged:
        page = await log.store.records(world.name, after, world.head, 1)
    if not page:
        raise Damaged("it is missing")
    return page


def _compare(record: Record, due: Record) -> None:
    """That the store has labelled an event as it must be."""
    if record.key != due.key:
        raise Damaged(f"the store has it under the key {record.key!r}")
    if record.landmark != due.landmark:
        raise Damaged("the store has it wrongly among the landmarks")
