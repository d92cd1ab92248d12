"""The store in memory: gone with the process, and the definition of what a store does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from whoknew.eventlog.kind import LANDMARK, RECORD
from whoknew.eventlog.stores.store import (
    PORTION,
    Arrival,
    Batch,
    Position,
    Record,
    Segment,
    StoreFacts,
    World,
)


class VolatileStore:
    leases = None
    pace = 0.0

    def __init__(self) -> None:
        self.poll: float | None = None
        self.counted: int | None = None
        self._worlds: dict[str, World] = {}
        self._rows: dict[str, list[Record]] = {}
        self._order: list[tuple[str, Record]] = []

    async def open(self, news: Callable[[], None]) -> None:
        pass

    async def close(self) -> None:
        pass

    async def worlds(self) -> list[World]:
        return [self._present(world) for world in self._worlds.values()]

    async def find(self, world: str) -> World | None:
        found = self._worlds.get(world)
        return found and self._present(found)

    async def found(self, names: Collection[str]) -> list[World]:
        return [self._present(self._worlds[one]) for one in {*names} & self._worlds.keys()]

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        return [self._commit(batch) for batch in batches]

    def commit_now(self, batch: Batch) -> bool:
        return self._commit(batch)

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        rows = self._span(world, after, upto)
        chosen = rows[: -limit - 1 : -1] if backward else rows[:limit]
        return [row.body for row in _portion(chosen)]

    async def read_several(self, segments: Sequence[Segment]) -> list[bytes]:
        return [row.body for one in segments for row in self._span(*one)]

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        return [row.body for seq in seqs for row in self._span(world, seq - 1, seq)]

    async def landmarks(self, world: str, after: int, upto: int) -> list[bytes]:
        return [row.body for row in self._span(world, after, upto) if row.landmark == LANDMARK]

    async def tellings(self, world: str, after: int, upto: int, limit: int) -> list[bytes]:
        rows = self._span(world, after, upto)
        return [row.body for row in rows if row.landmark == RECORD][:limit]

    async def keys(self, world: str, begins: str = "", after: int = 0) -> dict[str, int]:
        return {
            row.key: row.seq
            for row in self._rows.get(world, ())
            if row.key is not None and row.key.startswith(begins) and row.seq > after
        }

    async def records(self, world: str, after: int, upto: int, limit: int) -> list[Record]:
        return _portion(self._span(world, after, upto)[:limit])

    async def arrivals(self, after: Position, limit: int) -> list[tuple[Position, bytes]]:
        return [(one.position, one.record.body) for one in await self.page(after, limit)]

    async def page(self, after: Position, limit: int) -> list[Arrival]:
        start = after[0] if after else 0
        chosen = self._order[start : start + limit]
        some = _portion(record for _, record in chosen)
        return [
            Arrival((place,), world, record)
            for place, ((world, _), record) in enumerate(zip(chosen, some, strict=False), start + 1)
        ]

    async def facts(self) -> StoreFacts:
        return StoreFacts("memory", "this process")

    async def check(self) -> list[str]:
        return []

    def _present(self, world: World) -> World:
        head = world.forked_at + len(self._rows[world.name])
        return World(world.name, head, world.parent, world.forked_at)

    def _commit(self, batch: Batch) -> bool:
        found = self._worlds.get(batch.world)
        head = self._present(found).head if found else None
        if head != (None if batch.opens else batch.after):
            return False
        if batch.on and self._rows[batch.world][-1].hash != batch.on:
            return False
        if batch.opens:
            self._worlds[batch.world] = batch.opens
            self._rows[batch.world] = []
        self._rows[batch.world] += batch.records
        self._order += [(batch.world, record) for record in batch.records]
        return True

    def _span(self, world: str, after: int, upto: int) -> list[Record]:
        if world not in self._rows:
            return []
        base = self._worlds[world].forked_at
        return self._rows[world][max(0, after - base) : max(0, upto - base)]


def _portion(records: Iterable[Record]) -> list[Record]:
    some, room = list[Record](), PORTION
    for record in records:
        some.append(record)
        room -= len(record.body)
        if room <= 0:
            break
    return some
