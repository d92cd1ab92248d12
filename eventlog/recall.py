"""Search inside a view: BM25 over the words of one character's own past.

Every statistic is taken from the part of the view up to the cursor: document frequencies, mean
length, the number of documents. One index over all events with a filter behind it would leak the
future through its statistics (law 3), and what others witnessed too (law 4).
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, deque
from collections.abc import Sequence
from struct import Struct as Packed
from typing import TYPE_CHECKING

from msgspec import Struct

from whoknew.eventlog.event import Event
from whoknew.eventlog.words import terms

if TYPE_CHECKING:
    import numpy

BEFORE = 2
"""How many events before it join an event's document, at half its own weight: talk leans on what
was just said. (Measured on LoCoMo and FairytaleQA, flat@10: alone 0.63 and 0.88, joined at full
weight 0.74 and 0.89, at half 0.76 and 0.92; from 0.3 to 0.7 it makes little difference.)"""

K1, B = 1.2, 0.75

pair = Packed("=II").pack


class Recalled(Struct, frozen=True):
    """An event that was found: its place in the view (from 1), its seq, its score, its words."""

    place: int
    seq: int
    score: float
    text: str


class Postings:
    """For each word of a view, in which documents it stands and how often; one document an event."""

    def __init__(self) -> None:
        self._terms: dict[str, bytearray] = {}
        """Of each term, its pairs in order: the number of a document, and how often it is there.
        Plain bytes, for a long life has very many: the garbage collector does not walk them."""
        self._lengths = array("I")
        self._total = array("Q", [0])
        self._before: deque[Counter[str]] = deque(maxlen=BEFORE)

    def __len__(self) -> int:
        return len(self._lengths)

    def extend(self, events: Sequence[Event]) -> None:
        for event in events:
            own = Counter(terms(event.text))
            halves = own + own
            for earlier in self._before:
                halves.update(earlier)
            self._before.append(own)
            self._add(halves)

    def search(self, query: str, documents: int, k: int) -> list[tuple[int, float]]:
        """The best `k` among the first `documents`, with their scores: ties go to the earlier."""
        import numpy

        scores = numpy.zeros(documents)
        if documents:
            lengths = numpy.frombuffer(self._lengths, dtype=numpy.uint32)[:documents]
            mean = self._total[documents] / documents or 1.0
            for term in sorted(set(terms(query))):
                self._score(term, scores, lengths, mean)
        # Rounded, so that the order does not hang on the last bit of a sum.
        scores = scores.round(6)
        found = numpy.flatnonzero(scores)
        if len(found) > k:
            least = numpy.partition(scores[found], -k)[-k]
            found = found[scores[found] >= least]
        best = found[numpy.lexsort((found, -scores[found]))][:k]
        return [(int(place), float(scores[place])) for place in best]

    def _add(self, halves: Counter[str]) -> None:
        """Take in a document, its words counted in halves."""
        number = len(self._lengths)
        length = halves.total()
        self._lengths.append(length)
        self._total.append(self._total[-1] + length)
        for term, count in halves.items():
            try:
                self._terms[term] += pair(number, count)
            except KeyError:
                self._terms[term] = bytearray(pair(number, count))

    def _score(
        self,
        term: str,
        scores: numpy.ndarray,
        lengths: numpy.ndarray,
        mean: float,
    ) -> None:
        import numpy

        if term not in self._terms:
            return
        pairs = numpy.frombuffer(self._terms[term], dtype=numpy.uint32).reshape(-1, 2)
        documents = len(scores)
        cut = int(
            pairs[:, 0].searchsorted(numpy.uint32(documents))
        )  # of its own type: else all are cast
        if not cut:
            return
        where, often = pairs[:cut, 0].astype(numpy.intp), pairs[:cut, 1]
        rarity = math.log(1 + (documents - cut + 0.5) / (cut + 0.5))
        norm = 2 * K1 * (1 - B + (B / mean) * lengths[where])
        scores[where] += rarity * (often * (K1 + 1)) / (often + norm)
