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
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import Entered, Left
from whoknew.eventlog.words import terms

if TYPE_CHECKING:
    import numpy

BEFORE = 2
"""How many events before it join an event's document, at half its own weight: talk leans on what
was just said. (Measured on LoCoMo and FairytaleQA, flat@10: alone 0.63 and 0.88, joined at full
weight 0.74 and 0.89, at half 0.76 and 0.92; from 0.3 to 0.7 it makes little difference.)"""

K1, B = 1.2, 0.75

OWN = 0x8000_0000
"""Set in a count where some of it are the document's own words."""

pair = Packed("=II").pack


class Match(NamedTuple):
    """A document that was found. One that is not `own` holds none of the words itself: those before
    it lift it."""

    number: int
    score: float
    own: bool


class Recalled(Struct, frozen=True):
    """An event that was found: its place in the view (from 1), its seq, its score, its words. One
    that is not `own` holds none of the words searched for, but stands next to what does."""

    place: int
    seq: int
    score: float
    text: str
    own: bool = True


class Postings:
    """For each word of a view, in which documents it stands and how often; one document an event."""

    def __init__(self) -> None:
        self._terms: dict[str, bytearray] = {}
        """Of each term, its pairs in order: the number of a document, and how often it is there.
        Plain bytes, for a long life has very many: the garbage collector does not walk them."""
        self._lengths = array("I")
        self._passing = bytearray()
        """Which of them are only somebody coming or going."""
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
            self._passing.append(isinstance(event.body, Entered | Left))
            self._add(halves, own)

    def search(
        self, query: str, documents: int, k: int, *, upto: int | None = None, own: bool = False
    ) -> list[Match]:
        """The best `k` in the light of the first `documents`: of those up to the number `upto`; with
        `own`, of those that hold some of the words themselves. Comings and goings come last; ties go
        to what holds some words itself, and then to the earlier."""
        import numpy

        scores, holding = numpy.zeros(documents), numpy.zeros(documents, dtype=bool)
        if documents:
            lengths = numpy.frombuffer(self._lengths, dtype=numpy.uint32)[:documents]
            mean = self._total[documents] / documents or 1.0
            for term in sorted(set(terms(query))):
                self._score(term, scores, holding, lengths, mean)
        # Rounded, so that the order does not hang on the last bit of a sum.
        scores = scores.round(6)
        found = numpy.flatnonzero((scores * holding if own else scores)[:upto])
        passing = numpy.frombuffer(self._passing, dtype=bool)[found]
        ranks = scores[found] - passing * (scores.max(initial=0.0) + 1)
        if len(found) > k:
            best = ranks >= numpy.partition(ranks, -k)[-k]
            found, ranks = found[best], ranks[best]
        best = found[numpy.lexsort((found, ~holding[found], -ranks))][:k]
        return [Match(int(one), float(scores[one]), bool(holding[one])) for one in best]

    def _add(self, halves: Counter[str], own: Counter[str]) -> None:
        """Take in a document, its words and those before it counted in halves."""
        number = len(self._lengths)
        length = halves.total()
        self._lengths.append(length)
        self._total.append(self._total[-1] + length)
        for term, count in halves.items():
            count |= OWN if term in own else 0
            try:
                self._terms[term] += pair(number, count)
            except KeyError:
                self._terms[term] = bytearray(pair(number, count))

    def _score(
        self,
        term: str,
        scores: numpy.ndarray,
        holding: numpy.ndarray,
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
        where, often = pairs[:cut, 0].astype(numpy.intp), pairs[:cut, 1] & ~numpy.uint32(OWN)
        holding[where] |= pairs[:cut, 1] >= OWN
        rarity = math.log(1 + (documents - cut + 0.5) / (cut + 0.5))
        norm = 2 * K1 * (1 - B + (B / mean) * lengths[where])
        scores[where] += rarity * (often * (K1 + 1)) / (often + norm)
