"""All the ways to divide things among people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

Division = dict[str, dict[str, int]]

MOST = 50_000
"""So many divisions are looked at; a pool with more of them is cut down to steps of two, three ..."""


def divisions(pool: Mapping[str, int], people: Sequence[str]) -> list[Division]:
    """Every way to give away all of a pool, in an order that depends on nothing else."""
    return _divisions(tuple(pool.items()), tuple(people))


def value(share: Mapping[str, int], worth: Mapping[str, float]) -> float:
    return sum(count * worth.get(item, 0) for item, count in share.items())


@lru_cache(maxsize=256)
def _divisions(pool: tuple[tuple[str, int], ...], people: tuple[str, ...]) -> list[Division]:
    step = 1
    while _number(pool, len(people), step) > MOST:
        step += 1
    ways = [list(_ways(count, len(people), step)) for _, count in pool]
    items = [item for item, _ in pool]
    return [
        {
            who: {item: way[seat] for item, way in zip(items, chosen, strict=True)}
            for seat, who in enumerate(people)
        }
        for chosen in product(*ways)
    ]


def _number(pool: Sequence[tuple[str, int]], people: int, step: int) -> int:
    number = 1
    for _, count in pool:
        number *= sum(1 for _ in _ways(count, people, step))
    return number


def _ways(count: int, people: int, step: int) -> Iterator[tuple[int, ...]]:
    """How `count` alike things can be given to so many people, a few at a time."""
    if people == 1:
        yield (count,)
        return
    for first in sorted({*range(0, count + 1, step), count}):
        for rest in _ways(count - first, people - 1, step):
            yield (first, *rest)
