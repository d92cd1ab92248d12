"""Questions that are alike: found by their words, and not by going through all that there are."""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Iterator
from itertools import groupby, islice


class AlikeQuestions:
    """Questions of one kind, by their numbers, each as the set of its stems. Those with as many stems, and
    one of them in common, stand in one list."""

    def __init__(self) -> None:
        self._stems: dict[int, frozenset[str]] = {}
        self._numbers: list[int] = []
        self._having: dict[int, dict[str, list[int]]] = {}
        """By how many stems, and by each of them, the numbers, which rise."""

    def add(self, number: int, stems: frozenset[str]) -> None:
        self._stems[number] = stems
        insort(self._numbers, number)
        having = self._having.setdefault(len(stems), {})
        for stem in stems:
            insort(having.setdefault(stem, []), number)

    def best(self, stems: frozenset[str], most: int) -> list[int]:
        """Those that share most stems, of those of the shorter question; of equal ones the newest."""
        found: list[int] = []
        pairs = sorted(self._pairs(stems), reverse=True)
        for _, some in groupby(pairs, key=lambda one: one[0]):
            newest = [
                number
                for _, size, count in some
                for number in islice(self._sharing(stems, size, count), most)
            ]
            found += sorted(newest, reverse=True)
            if len(found) >= most:
                return found[:most]
        taken = frozenset(found)
        others = (number for number in reversed(self._numbers) if number not in taken)
        return [*found, *islice(others, most - len(found))]

    def _pairs(self, stems: frozenset[str]) -> Iterator[tuple[float, int, int]]:
        """How many stems a question may have, and share, with which part of the shorter that is."""
        for size, having in self._having.items():
            shorter = min(size, len(stems))
            for count in range(1, min(shorter, sum(stem in having for stem in stems)) + 1):
                yield count / shorter, size, count

    def _sharing(self, stems: frozenset[str], size: int, count: int) -> Iterator[int]:
        """Those of so many stems that share so many, the newest first. Each of them has one of the rarest:
        of all that are asked about, so many may be missing in it."""
        having = self._having[size]
        lists = sorted((having[stem] for stem in stems if stem in having), key=len)
        rarest = map(reversed, lists[: len(lists) - count + 1])
        for number, _ in groupby(heapq.merge(*rarest, reverse=True)):
            if len(stems & self._stems[number]) == count:
                yield number
