"""Pages of what grows with a world: bounded by their size, too, and not by their number alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from whoknew.engine.server.payloads import EpisodesQuery

BYTES = 2**20
"""How large a page of events gets; one event it holds at least, however large that is."""

FEW = 50
"""So many events are read first, and then four times as many: any of them may be large, and each reading takes
0.3 ms."""

T = TypeVar("T")


class PagedEvents(NamedTuple, Generic[T]):
    """All that there is past one place and up to another."""

    events: list[T]
    after: int
    upto: int


class Numbered(Protocol):
    """An episode, by its number."""

    @property
    def number(self) -> int: ...


E = TypeVar("E", bound=Numbered)


def of_episodes(episodes: Sequence[E], query: EpisodesQuery) -> tuple[E, ...]:
    """The newest, or those before one: of episodes in order, as many as a page may hold."""
    before = query.before
    there = [one for one in episodes if before is None or one.number < before]
    return tuple(fitting(there[-query.limit :], newest=True))


def fitting(events: Sequence[T], *, newest: bool) -> list[T]:
    """As many of the events as a page may hold: the first of them, or the newest."""
    way: Iterable[T] = reversed(events) if newest else events
    kept: list[T] = []
    size = 0
    for event in way:
        size += len(msgspec.json.encode(event))
        if kept and size > BYTES:
            break
        kept.append(event)
    return kept[::-1] if newest else kept


async def page_of(
    read: Callable[[int, int], Awaitable[Sequence[T | None]]],
    after: int,
    upto: int,
    *,
    newest: bool = False,
) -> PagedEvents[T]:
    """As much of what stands past `after` up to `upto` as a page may hold: the first of it, or the newest.
    It is read a few at a time, until that is full. `read` gives one for each place, and nothing in its place
    where this reader is sent none."""
    kept: list[T] = []
    size, taken, step = 0, 0, FEW
    while taken < upto - after and size <= BYTES:
        low, high = after + taken, upto - taken
        some = await (
            read(max(after, high - step), high) if newest else read(low, min(upto, low + step))
        )
        for event in reversed(some) if newest else some:
            if event is not None:
                size += len(msgspec.json.encode(event))
                if kept and size > BYTES:
                    break
                kept.append(event)
            taken += 1
        step *= 4
    if newest:
        return PagedEvents(kept[::-1], upto - taken, upto)
    return PagedEvents(kept, after, after + taken)
