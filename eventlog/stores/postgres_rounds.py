"""The batches of one commit on PostgreSQL, in rounds: of each round one statement moves the heads and
writes the events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from whoknew.eventlog.stores.store import Batch


def rounds_of(batches: Sequence[Batch]) -> list[list[list[Batch]]]:
    """The batches in runs that follow one another, no world twice in a round: an UPDATE ... FROM
    applies only one matching row to each head."""
    rounds: list[list[list[Batch]]] = [[]]
    worlds: dict[str, list[Batch]] = {}
    for batch in batches:
        worlds.setdefault(batch.world, []).append(batch)
    for run in worlds.values():
        if all(_goes_on(one, two) for one, two in pairwise(run)):
            rounds[0].append(run)
            continue
        # Some of them are stale, and which ones only the head can tell: one by one.
        rounds += [[] for _ in run[len(rounds) :]]
        for group, batch in zip(rounds, run, strict=False):
            group.append([batch])
    return rounds


def _goes_on(one: Batch, two: Batch) -> bool:
    last = one.records[-1]
    return last.seq == two.after and not two.opens and two.on in (None, last.hash)


def moved_head(first: Batch, last: int) -> tuple[Any, ...]:
    """From where to where a run moves the head of its world."""
    opens = first.opens
    parent = opens.parent if opens else None
    return first.world, first.after, last, first.on, opens is not None, parent


def in_columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
