"""Forks: a world that shares another's log up to a cursor. A row, no copying.

`Seamless` reads a store as if every world had all of its own past: to its readers a fork is a
world like any other, however many forks it comes from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from whoknew.eventlog.errors import Damaged, NoSuchWorld
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
        self._origins: dict[str, World] = {}

    async def find(self, world: str) -> World:
        found = await self._store.find(world) if is_name(world) else None
        if not found:
            raise NoSuchWorld(world, [one.name for one in await self._store.worlds()])
        return found

    async def lineage(
        self, world: str, after: int = 0, upto: int = FOREVER
    ) -> tuple[Segment, ...]:
        """The stretches that make up the world between two seqs, from its root to its own.

        No parent is looked at whose events are not among them.
        """
        stretches: list[Segment] = []
        child = await self._origin(world)
        while True:
            if child.forked_at < upto:
                stretches.append(Segment(child.name, max(child.forked_at, after), upto))
            if child.parent is None or child.forked_at <= after:
                return tuple(reversed(stretches))
            upto = min(upto, child.forked_at)
            child = await self._parent(child)

    async def owner(self, world: str, seq: int) -> str:
        """The world whose own event this is: where it happened, in the lineage of `world`."""
        [stretch] = await self.lineage(world, seq - 1, seq)
        return stretch.world

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        segments = await self.lineage(world, after, upto)
        bodies: list[bytes] = []
        for segment in reversed(segments) if backward else segments:
            wanted = limit - len(bodies)
            if wanted <= 0:
                break
            bodies += await self._store.read(*segment, wanted, backward=backward)
        return bodies

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        if not seqs:
            return []
        bodies: list[bytes] = []
        first = 0
        for segment in await self.lineage(world, seqs[0] - 1, seqs[-1]):
            last = bisect_right(seqs, segment.upto)
            if first < last:
                bodies += await self._store.pick(segment.world, seqs[first:last])
            first = last
        return bodies

    async def landmarks(self, world: str, upto: int) -> list[bytes]:
        return [
            body
            for segment in await self.lineage(world, 0, upto)
            for body in await self._store.landmarks(segment.world, segment.upto)
        ]

    async def record(self, world: str, seq: int) -> Record | None:
        for segment in await self.lineage(world, seq - 1, seq):
            for record in await self._store.records(*segment, 1):
                return record
        return None

    async def _origin(self, world: str) -> World:
        """The world as far as it never changes: where it comes from."""
        if world not in self._origins:
            self._origins[world] = await self.find(world)
        return self._origins[world]

    async def _parent(self, child: World) -> World:
        """Where the event happened that a fork goes on from: so it is an own event of its parent,
        and each step towards the root comes to an earlier seam."""
        assert child.parent is not None
        try:
            parent = await self._origin(child.parent)
        except NoSuchWorld:
            raise _no_origin(child, "which the log does not have") from None
        if parent.forked_at >= child.forked_at:
            raise _no_origin(child, f"which has no event of its own before #{parent.forked_at + 1}")
        return parent


def _no_origin(child: World, why: str) -> Damaged:
    return Damaged(f"{child.name!r} is forked from {child.parent!r} #{child.forked_at}, {why}")
