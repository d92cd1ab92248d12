"""Laws 3, 5, 8 and 9, of every memory with every method, on every store: a world that is cut off anywhere
goes on to the same story with the same calls; it plays again; and what somebody answers of an earlier
moment does not hang on what came later. Round by round the whole grid is gone through."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from adversity.attack import Attack, Chance, Ground, Strike
from minds_grid import KINDS, Cut, goes_on

from whoknew.engine.registry import METHODS
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.stores.volatile import VolatileStore

STORES = ("volatile", "sqlite", "postgres")

PAIRS = [(memory, method) for memory in reversed(KINDS) for method in METHODS.ours]

GRID = [
    (memory, method, STORES[(place + turn) % len(STORES)])
    for turn in range(len(STORES))
    for place, (memory, method) in enumerate(PAIRS)
]
"""Each pair on one of the stores, before any is on another."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    def strike(chance: Chance) -> None:
        memory, method, store = GRID[chance.number % len(GRID)]
        with _log(ground, store) as log:
            asyncio.run(goes_on(Cut.of(chance, memory, method), log))

    yield strike


ATTACK = Attack(setup=setup, short=2, least=len(GRID))


@contextmanager
def _log(ground: Ground, store: str) -> Iterator[Log]:
    if store == "volatile":
        yield Log(VolatileStore())
    elif store == "postgres":
        with ground.postgres().database() as url:
            yield open_log(url)
    else:
        with ground.fresh() as folder:
            yield open_log(folder / "log.db")
