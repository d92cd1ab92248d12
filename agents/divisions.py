"""All the ways to divide things among people, as arrays: there can be so many that to go through them
one by one would keep everybody else waiting."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, log, prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

Division = dict[str, dict[str, int]]

MOST = 50_000
"""So many divisions are looked at. Of a pool with more of them things are given two, three ... at a time; and
where all that is alike goes together and there still are more, different things do, in lots."""


class Divisions:
    """Every way to give away all of a pool, in an order that depends on nothing else."""

    def __init__(self, pool: Mapping[str, int], people: Sequence[str]) -> None:
        self._items, self._people = tuple(pool), tuple(people)
        self._counts = _counts(tuple(pool.values()), len(people))

    def __len__(self) -> int:
        return len(self._counts[0]) if self._counts else 1

    def __iter__(self) -> Iterator[Division]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Division:
        return {
            who: {
                item: int(counts[place, seat])
                for item, counts in zip(self._items, self._counts, strict=True)
            }
            for seat, who in enumerate(self._people)
        }

    def values(self, who: str, worth: Mapping[str, float]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What each division gives to somebody to whom one of each thing is worth so much. Summed
        up thing by thing, as `value` does: so that equals stay equal."""
        import numpy as np

        seat = self._people.index(who)
        total = np.zeros(len(self))
        for item, counts in zip(self._items, self._counts, strict=True):
            total += counts[:, seat] * float(worth.get(item, 0))
        return total


def value(share: Mapping[str, int], worth: Mapping[str, float]) -> float:
    return sum(count * worth.get(item, 0) for item, count in share.items())


@lru_cache(maxsize=64)
def _counts(pool: tuple[int, ...], people: int) -> tuple[np.ndarray[Any, np.dtype[np.int64]], ...]:
    """Of each thing, how many each of the people gets: a row a division, the last thing turning
    fastest."""
    import numpy as np

    steps = range(1, max((1, *pool)) + 1)
    step = bisect_left(steps, True, key=lambda step: _number(pool, people, step) <= MOST) + 1
    if step in steps:
        return _every([np.array(list(_ways(count, people, step))) for count in pool])
    lots = int(log(MOST, people))
    owners = _every([np.identity(people, np.int64)] * lots)
    things = [(place % lots, count) for place, count in enumerate(pool)]
    counts = {(lot, count): owners[lot] * count for lot, count in set(things)}
    return tuple(counts[thing] for thing in things)  # one array for all that are alike


def _every(
    ways: Sequence[np.ndarray[Any, np.dtype[np.int64]]],
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], ...]:
    """Each way to give one thing away with each way to give the others."""
    import numpy as np

    lengths = [len(way) for way in ways]
    return tuple(
        np.tile(np.repeat(way, prod(lengths[place + 1 :]), axis=0), (prod(lengths[:place]), 1))
        for place, way in enumerate(ways)
    )


def _number(pool: Sequence[int], people: int, step: int) -> int:
    """How many divisions there are in steps of so many."""
    return prod(comb(-(-count // step) + people - 1, people - 1) for count in pool)


def _ways(count: int, people: int, step: int) -> Iterator[tuple[int, ...]]:
    """How `count` alike things can be given to so many people, a few at a time."""
    if people == 1:
        yield (count,)
        return
    for first in sorted({*range(0, count + 1, step), count}):
        for rest in _ways(count - first, people - 1, step):
            yield (first, *rest)
