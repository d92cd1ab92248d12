"""Where keys stand, held in a few bytes each."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.key_table import KeyTable, _found

KEYS = st.text(min_size=1, max_size=8)


@given(st.lists(st.tuples(KEYS, st.integers(1, 2**63 - 1))), st.lists(KEYS))
def test_it_finds_what_a_dict_finds(added: list[tuple[str, int]], asked: list[str]) -> None:
    table, plain = KeyTable(), dict[str, int]()
    for key, seq in added:
        table[key] = plain[key] = seq
    for key in [*asked, *plain]:
        assert (key in table) == (key in plain) and table.get(key) == plain.get(key)
    assert all(KeyTable(plain)[key] == seq for key, seq in plain.items())


def test_a_key_that_is_not_there_is_none() -> None:
    with pytest.raises(KeyError, match="gone"):
        KeyTable({"there": 1})["gone"]


def test_a_digest_across_two_entries_is_not_taken_for_one() -> None:
    digest = bytes(range(16))
    across = b"x" * 8 + digest
    assert _found(bytearray(across + b"y" * 24), digest) < 0
    assert _found(bytearray(across + digest + b"y" * 8), digest) == 24


def test_very_many_keys_take_less_than_64_bytes_each() -> None:
    count, table = 20_000, KeyTable()
    tracemalloc.start()
    try:
        for number in range(count):
            table[f"{number:032}"] = number
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 64 * count
