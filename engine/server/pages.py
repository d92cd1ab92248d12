"""Pages of what grows with a world: bounded by their size, too, and not by their number alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from whoknew.engine.server.payloads import EpisodesQuery

BYTES = 2**20
"""How large a page of events gets; one event it holds at least, however large that is."""

FEW = 16
"""So many events are read first, and then twice as many each time: any of them may be large."""

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
    No more is read than that, and a little. `read` gives one for each place, and nothing in its place
    where this reader is sent none."""
    kept: list[T] = []
    low, high, size, step = after, upto, 0, FEW
    while low < high and size <= BYTES:
        some = await (
            read(max(low, high - step), high) if newest else read(low, min(high, low + step))
        )
        for event in reversed(some) if newest else some:
            size += 0 if event is None else len(msgspec.json.encode(event))
            if kept and size > BYTES:
                break
            low, high = (low, high - 1) if newest else (low + 1, high)
            if event is not None:
                kept.append(event)
        step *= 2
    return PagedEvents(kept[::-1], high, upto) if newest else PagedEvents(kept, after, low)
