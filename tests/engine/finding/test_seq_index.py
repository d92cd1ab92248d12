"""An index of what events hold says what a dict would, however much of it was sorted in."""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from random import Random

import pytest

from whoknew.engine.finding import seq_index
from whoknew.engine.finding.seq_index import SeqIndex

HIGH = 2**63 - 1


@pytest.mark.parametrize("few", [1, 7, 100, 2048])
def test_it_says_what_a_dict_would(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seq_index, "FEW", few)
    chance, most = Random(few), 4
    index, plain = SeqIndex(most), defaultdict[int, list[int]](list)
    numbers = [
        chance.choice((0, HIGH, -HIGH, chance.randrange(300), chance.getrandbits(63)))
        for _ in range(900)
    ]
    for seq in range(1, 400):
        held = set(chance.sample(numbers, 9))
        index.add(held, seq)
        for number in held:
            plain[number].append(seq)
        if seq % 50 == 0:
            asked = [*chance.sample(numbers, 40), 12345678901]
            found = [tuple(plain[one]) if len(plain[one]) <= most else () for one in asked]
            assert index.holding(asked) == found
    assert index.holding([]) == []


def test_an_entry_takes_little_memory() -> None:
    """Most of what stands in events stands in one: a dict with a tuple for each takes 150 bytes and more."""
    chance, events, each = Random(1), 4000, 30
    held = [[chance.getrandbits(63) for _ in range(each)] for _ in range(events)]
    tracemalloc.start()
    index = SeqIndex(8)
    for seq, numbers in enumerate(held, start=1):
        index.add(numbers, seq)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert index.holding(held[7][:2]) == [(8,), (8,)]
    assert taken / (events * each) < 30
