"""What is written into stores of every kind, to see whether they keep their contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
from store_places import Place

from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.stores.store import START, Arrival, Batch, Record, Store, World

FAR = 2**62


def nothing() -> None:
    """News that nobody waits for."""


@pytest.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    """An open, empty store of each kind."""
    store = place.store()
    await store.open(nothing)
    yield store
    await store.close()


def records(after: int, count: int, text: str = "") -> list[Record]:
    bodies = [b'{"seq":%d,"text":"%b"}' % (seq, text.encode()) for seq in _next(after, count)]
    return [
        Record(seq, link(GENESIS, body), body)
        for seq, body in zip(_next(after, count), bodies, strict=True)
    ]


def opening(world: str, count: int, text: str = "") -> Batch:
    return Batch(world, 0, records(0, count, text), World(world, 0))


def forking(parent: str, at: int, child: str, count: int) -> Batch:
    return Batch(child, at, records(at, count, child), World(child, at, parent, at))


def going_on(world: str, after: int, count: int, text: str = "") -> Batch:
    return Batch(world, after, records(after, count, text))


def bodies(of: Sequence[Record]) -> list[bytes]:
    return [record.body for record in of]


def _next(after: int, count: int) -> range:
    return range(after + 1, after + count + 1)


async def everything(store: Store, limit: int = 1000) -> list[Arrival]:
    found: list[Arrival] = []
    while page := await store.page(found[-1].position if found else START, limit):
        found += page
    return found
