"""The records of a world, a portion at a time: many small ones, or a few large ones."""

from __future__ import annotations

from collections.abc import AsyncIterator

from whoknew.eventlog.stores.store import Record, Store

MOST = 1000
"""So many records at a time, or a `PORTION` of them."""


async def portions(store: Store, world: str, after: int, upto: int) -> AsyncIterator[list[Record]]:
    """The world's own records past a seq up to another, answer by answer."""
    while after < upto and (some := await store.records(world, after, upto, MOST)):
        yield some
        after = some[-1].seq
