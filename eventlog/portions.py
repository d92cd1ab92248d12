"""The records of a world, a portion at a time: many small ones, or a few large ones."""

from __future__ import annotations

from collections.abc import AsyncIterator

from whoknew.eventlog.stores.store import Record, Store

MOST = 1000
"""So many records at a time, where they are no `PORTION` before."""


async def portions(store: Store, world: str, after: int, upto: int) -> AsyncIterator[list[Record]]:
    """The world's own records past a seq up to another: as many as there are in a row of answers."""
    while after < upto and (some := await store.records(world, after, upto, MOST)):
        yield some
        after = some[-1].seq
