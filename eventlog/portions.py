"""How many records are read at a time where a whole log is: many small ones, or a few large ones."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.eventlog.stores.store import Record

MOST = 1000

FIRST = 50
"""So many before it is known how large they are."""

HEAVY = 32 * 2**20
"""Bytes that so many may have about."""


def next_count(records: Sequence[Record]) -> int:
    """How many to read next, by how large these were. It is no bound: of large ones right behind many small
    ones a whole portion is read at once."""
    size = sum(len(one.body) for one in records)
    return max(1, min(MOST, HEAVY * len(records) // max(1, size)))
