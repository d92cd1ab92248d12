"""Which events hold what, in little memory: of whole numbers, each for something that can stand in an
event, the seqs of those that hold it.

What is new stands in a dict. When that has grown, it goes into two arrays, sorted by number: twelve bytes
for each, where a dict and its tuples take 250.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

FEW, PART = 2048, 32
"""So many are new at most, or so small a part of all: the more there are, the seldomer they are sorted
in, so that to add one takes no longer."""


class SeqIndex:
    """Of what stands in more than `most` events it says that it stands in none: it is known to many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: dict[int, tuple[int, ...]] = {}
        self._sorted: tuple[numpy.ndarray, numpy.ndarray] | None = None
        """The numbers, and of each the seq beside it."""

    def add(self, numbers: Iterable[int], seq: int) -> None:
        """An event holds these. Its seq is higher than those before."""
        new, most, asked = self._new, self._most, list(numbers)
        held = list(map(new.get, asked, repeat(())))
        grown = {id(seqs): seqs if len(seqs) > most else (*seqs, seq) for seqs in distinct(held)}
        new.update(zip(asked, map(grown.__getitem__, map(id, held)), strict=True))
        if len(new) > max(FEW, self._sorted[0].size // PART if self._sorted else 0):
            self._sort_in()

    def first(self, numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Of each of these the first events that hold it, in order: where those are too many, some of them."""
        found = list(map(self._new.get, numbers, repeat(())))
        if self._sorted is not None and numbers:
            self._add_sorted(found, numbers)
        return found

    def holding(self, numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Of each of these the events that hold it, in order; nothing where those are too many."""
        found, most = self.first(numbers), self._most
        if max(map(len, found), default=0) > most:
            return [() if len(seqs) > most else seqs for seqs in found]
        return found

    def _add_sorted(self, found: list[tuple[int, ...]], numbers: Sequence[int]) -> None:
        """What is sorted goes before what is new. Most stands in one event alone: that is looked up for
        all at once."""
        import numpy

        assert self._sorted is not None, "it was asked for"
        known, seqs = self._sorted
        asked = numpy.fromiter(numbers, numpy.int64, len(numbers))
        first = known.searchsorted(asked)
        there = numpy.flatnonzero(known.take(first, mode="clip") == asked)
        first, asked = first[there], asked[there]
        several = (known.take(first + 1, mode="clip") == asked) & (first + 1 < known.size)
        for at, seq in zip(there.tolist(), seqs[first].tolist(), strict=True):
            found[at] = (seq, *found[at]) if found[at] else (seq,)
        ends = known.searchsorted(asked[several], "right")
        places = zip(there[several].tolist(), first[several].tolist(), ends.tolist(), strict=True)
        for at, begin, end in places:
            more = seqs[begin + 1 : min(end, begin + self._most + 1)].tolist()
            found[at] = (found[at][0], *more, *found[at][1:])

    def _sort_in(self) -> None:
        import numpy

        held = sorted(self._new.items())
        each = chain.from_iterable(repeat(number, len(seqs)) for number, seqs in held)
        numbers = numpy.fromiter(each, numpy.int64)
        seqs = numpy.fromiter(chain.from_iterable(seqs for _, seqs in held), numpy.uint32)
        if self._sorted is not None:
            known, before = self._sorted
            places = known.searchsorted(numbers, "right")
            numbers = numpy.insert(known, places, numbers)
            seqs = numpy.insert(before, places, seqs)
        self._sorted, self._new = (numbers, seqs), {}


def distinct(found: Sequence[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    """Each but once: what stands in an event side by side mostly stands in the same events, and has one
    tuple."""
    return dict(zip(map(id, found), found, strict=True)).values()
