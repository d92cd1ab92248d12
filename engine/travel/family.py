"""The family of a world: the one that all began as, its forks, and the forks of these."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from whoknew.eventlog import Log
from whoknew.eventlog.stores.store import World


class Relative(Struct, frozen=True, kw_only=True):
    """A world that shares a past with others: a fork is the same as its `parent` up to `forked_at`."""

    name: str
    parent: str | None
    forked_at: int | None
    head: int


async def family(log: Log, world: str) -> tuple[Relative, ...]:
    """All worlds that share a past with one, in the order in which they began: parents first."""
    await log.lineage.find(world)
    worlds = await log.worlds()
    first = firsts(worlds)
    return tuple(_relative(one) for one in worlds if first[one.name] == first[world])


def firsts(worlds: Iterable[World]) -> dict[str, str]:
    """The world that each began as, itself where it is no fork: of all worlds of a log, in their order."""
    first: dict[str, str] = {}
    for one in worlds:
        first[one.name] = first.get(one.parent or "", one.name)
    return first


def _relative(one: World) -> Relative:
    forked_at = one.forked_at if one.parent else None
    return Relative(name=one.name, parent=one.parent, forked_at=forked_at, head=one.head)
