"""Every memory and every method, together: what is cut off goes on to the same, and answers the same."""

from __future__ import annotations

from itertools import cycle
from random import Random

import pytest
from minds_grid import KINDS, Cut, answers, goes_on

from whoknew.engine.registry import METHODS
from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore

PAIRS = list(zip(KINDS, cycle(METHODS.ours), strict=False))
"""Each memory, and each method at least once; `make attack ONLY=minds` takes all pairs, on three stores."""


@pytest.mark.parametrize(("memory", "method"), PAIRS)
async def test_cut_off_it_goes_on_and_answers_the_same(memory: str, method: str) -> None:
    chance = Random(f"{memory}/{method}")
    await goes_on(Cut.of(chance, memory, method), Log(VolatileStore()))


@pytest.mark.parametrize("memory", KINDS)
async def test_it_answers_the_same_by_every_method_whatever_came_later(memory: str) -> None:
    await answers(Cut.of(Random(memory), memory, "plain"), list(METHODS.ours))


def test_each_method_is_among_the_pairs() -> None:
    assert {method for _, method in PAIRS} == set(METHODS.ours)
