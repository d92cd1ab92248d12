"""Which key is nearest: as by looking at each, and without a copy of them all."""

from __future__ import annotations

import tracemalloc

import numpy
from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.key_matrix import KeyMatrix, Vector

NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 1e-7, 0.1, 0.30000000000000004, 0.3, 1e6, -1e6])
KEYS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40)


@given(KEYS, st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_it_is_the_one_that_is_found_by_looking_at_each(
    keys: list[tuple[float, ...]], wanted: tuple[float, ...]
) -> None:
    rows, key = numpy.array(keys), numpy.array(wanted)
    away = numpy.linalg.norm(rows - key, axis=1)
    at = int(numpy.argmin(away))
    assert KeyMatrix(rows).nearest(key) == (at, float(away[at]))


def test_where_there_is_none_none_is_found() -> None:
    assert KeyMatrix().nearest(numpy.zeros(3)) is None


def test_what_is_no_number_is_near_nothing() -> None:
    none, one = numpy.full(3, numpy.nan), numpy.ones(3)
    assert KeyMatrix([one]).nearest(none) is None
    assert KeyMatrix([none, one]).nearest(one) == (1, 0.0)
    assert KeyMatrix([none]).nearest(one) is None


def test_a_codebook_is_looked_up_without_a_copy_of_its_keys() -> None:
    chance = numpy.random.default_rng(1)
    keys: list[Vector] = list(chance.normal(size=(400, 256)))
    made = Codebook(0.1)
    for number, key in enumerate(keys):
        made.edit(Edit(number, number, key), key)
    tracemalloc.start()
    try:
        found = [made.holding(key) for key in keys]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == list(range(400))
    assert most < 0.1 * 400 * 256 * 8
