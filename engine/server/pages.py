"""Pages of what grows with a world: bounded by their size, too, and not by their number alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

import msgspec

from whoknew.engine.server.payloads import EpisodesQuery

BYTES = 2**20
"""How large a page of events gets; one event it holds at least, however large that is."""

T = TypeVar("T")


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
