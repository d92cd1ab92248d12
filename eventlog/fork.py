"""Forks: a world that shares another's log up to a cursor. A row, no copying.

`Seamless` reads a store as if every world had all of its own past: to its readers a fork is a
world like any other, however many forks it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from whoknew.eventlog.errors import NoSuchWorld
from whoknew.eventlog.stores.store import Record, Store, World, is_name

FOREVER = 2**62


class Segment(NamedTuple):
    """A stretch of a world's past, after `after` up to and including `upto`, as `world` has it."""

    world: str
    after: int
    upto: int


class Seamless:
    """A store, read across the seams of forks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lineages: dict[str, tuple[Segment, ...]] = {}

    async def find(self, world: str) -> World:
        found = await self._store.find(world) if is_name(world) else None
        if not found:
            raise NoSuchWorld(world, [one.name for one in await self._store.worlds()])
        return found

    async def lineage(self, world: str) -> tuple[Segment, ...]:
        """The stretches that make up the world, from its root to its own. They never change."""
        if world not in self._lineages:
            found = await self.find(world)
            own = Segment(world, found.forked_at, FOREVER)
            past = await self.lineage(found.parent) if found.parent else ()
            self._lineages[world] = (*_cut(past, found.forked_at), own)
        return self._lineages[world]

    async def owner(self, world: str, seq: int) -> str:
        """The world whose own event this is: where it happened, in the lineage of `world`."""
        return next(one.world for one in await self.lineage(world) if one.after < seq <= one.upto)

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        segments = _cut(await self.lineage(world), upto, after)
        bodies: list[bytes] = []
        for segment in reversed(segments) if backward else segments:
            wanted = limit - len(bodies)
            if wanted <= 0:
                break
            bodies += await self._store.read(*segment, wanted, backward=backward)
        return bodies

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        bodies: list[bytes] = []
        for segment in await self.lineage(world):
            inside = [seq for seq in seqs if segment.after < seq <= segment.upto]
            if inside:
                bodies += await self._store.pick(segment.world, inside)
        return bodies

    async def landmarks(self, world: str, upto: int) -> list[bytes]:
        segments = _cut(await self.lineage(world), upto)
        return [
            body
            for segment in segments
            for body in await self._store.landmarks(segment.world, segment.upto)
        ]

    async def record(self, world: str, seq: int) -> Record | None:
        for segment in _cut(await self.lineage(world), seq, seq - 1):
            for record in await self._store.records(*segment, 1):
                return record
        return None


def _cut(segments: Sequence[Segment], upto: int, after: int = 0) -> tuple[Segment, ...]:
    cut = (Segment(world, max(first, after), min(last, upto)) for world, first, last in segments)
    return tuple(segment for segment in cut if segment.after < segment.upto)
