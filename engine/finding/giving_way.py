"""Long work on a thread that gives way to the loop: of two threads with Python to run one runs, and
who waits is kept waiting as long as the other wants no break."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

LONG = 0.002
"""Seconds that it works without a break. With none the loop got on only every 10 to 20 ms."""

BREAK = 0.0001
"""Seconds: long enough for whoever waits to begin."""


def giving_way(
    some: Iterable[T],
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[T]:
    """The same, one after another, with a break between two of them whenever it has taken long."""
    begun = clock()
    for one in some:
        yield one
        if clock() - begun > LONG:
            sleep(BREAK)
            begun = clock()
