"""Search inside a view: BM25 over the words of one character's own past, and what `ranking.py` adds.

Every statistic is taken from the part of the view up to the cursor: document frequencies, mean
length, the number of documents. One index over all events with a filter behind it would leak the
future through its statistics (law 3), and what others witnessed too (law 4).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from whoknew.eventlog.days import Days
from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import Entered, Left
from whoknew.eventlog.occurrences import Occurrences
from whoknew.eventlog.ranking import RANKING, Ranking, rarity
from whoknew.eventlog.speakers import Speakers
from whoknew.eventlog.words import terms

if TYPE_CHECKING:
    import numpy

PASSING = (Entered, Left)
"""What is only somebody coming or going."""

PIECE = 4096
"""So many documents of words are scored at a time. The memory for more is had from the system anew each time, and
that took a third of a search."""

BLOCK = 64
"""Of so many documents only the best score is looked at first: a selection among all takes longer
than to score them."""

ROUNDED = 1e-6
"""What is less apart is as good; what scores less is not found."""


class Match(NamedTuple):
    """A document that was found. One that is not `own` holds none of the words itself: those around
    it lift it, or its date does."""

    number: int
    score: float
    own: bool


class Beside(NamedTuple):
    """What is scored by something else than words, place by place of a view: those that none was found
    for have 0. It is a `share` of a score; both sides are taken in parts of their best."""

    scores: numpy.ndarray
    share: float


class Recalled(Struct, frozen=True):
    """An event that was found: its place in the view (from 1), its seq, its score, its words. One
    that is not `own` holds none of the words searched for, but stands next to what does, or was on a
    day that was asked for."""

    place: int
    seq: int
    score: float
    text: str
    own: bool = True


class Postings:
    """The index of a view: its words, its speakers and its days; one document an event."""

    def __init__(self) -> None:
        self._lengths = array("I")
        self._passing = bytearray()
        """Which of them are only somebody coming or going."""
        self._total = array("Q", [0])
        self._occurrences, self._speakers, self._days = Occurrences(), Speakers(), Days()

    def __len__(self) -> int:
        return len(self._lengths)

    def extend(self, events: Sequence[Event]) -> None:
        first = len(self)
        lengths = self._occurrences.extend([event.text for event in events])
        totals = accumulate(lengths, initial=self._total.pop())
        self._lengths.extend(lengths)
        self._total.extend(totals)
        self._passing.extend([type(event.body) in PASSING for event in events])
        self._speakers.extend([event.actor for event in events])
        self._days.extend(first, [event.at.date() for event in events])

    def search(
        self,
        query: str,
        documents: int,
        k: int,
        *,
        upto: int | None = None,
        own: bool = False,
        among: Sequence[int] | None = None,
        ranking: Ranking = RANKING,
        beside: Beside | None = None,
    ) -> list[Match]:
        """The best `k`, where there are only the first `documents`: of those up to the number `upto`; of those
        at the places `among`, from 1, where they are given; with `own`, of those that hold some of the
        words themselves. Comings and goings come last; ties go to what holds some words itself, and
        then to the earlier."""
        import numpy

        asked = sorted(set(terms(query)))
        scores, holding = self._scored(asked, documents, ranking)
        scores = _lifted(scores, ranking.answers)
        if (of := self._speakers.meant(asked, documents)) is not None:
            numpy.multiply(scores, ranking.speaker, out=scores, where=of)
        if among is not None:
            wanted, places = numpy.zeros(documents + 1), numpy.asarray(among, dtype=numpy.intp)
            wanted[places[places <= documents]] = 1.0
            scores = scores * wanted[1:]
            if beside is not None:
                beside = beside._replace(scores=beside.scores * wanted[1:][: len(beside.scores)])
        scores = (scores * holding if own else scores)[:upto]
        if beside is not None:
            scores, holding = _blended(scores, holding[:upto], beside)
        passing = numpy.frombuffer(self._passing, dtype=bool)[: len(scores)]
        matches = _best(scores * ~passing, holding, k)
        if len(matches) < k:
            matches += _best(scores * passing, holding, k - len(matches))
        return matches

    def _scored(
        self, asked: Sequence[str], documents: int, ranking: Ranking
    ) -> tuple[numpy.ndarray, numpy.ndarray]:
        """What the first documents score each for itself, and which of them hold some of the words."""
        import numpy

        scores, holding = numpy.zeros(documents), numpy.zeros(documents, dtype=bool)
        if documents:
            lengths = numpy.frombuffer(self._lengths, dtype=numpy.uint32)[:documents]
            mean = self._total[documents] / documents or 1.0
            held_back = ranking.held_back(lengths / mean)
            twice = 2 * held_back  # words are counted in halves
            for rare, counts in self._occurrences.standing(asked, documents):
                for where, halves, said in counts:
                    holding[said] = True
                    for start in range(0, len(where), PIECE):
                        places = where[start : start + PIECE].astype(numpy.intp)
                        often = halves[start : start + PIECE].astype(numpy.float64)
                        score = ranking.counted(often, twice[places])
                        numpy.add.at(scores, places, rare * score)
            for term in self._days.named(asked) if ranking.dates else ():
                dated = self._days.of(term, documents)
                weight = rarity(len(dated), documents)
                for start in range(0, len(dated), PIECE):
                    where = dated[start : start + PIECE]
                    score = ranking.counted(1.0, held_back[where])
                    numpy.add.at(scores, where, weight * score)
        return scores, holding


def _lifted(scores: numpy.ndarray, shares: Sequence[float]) -> numpy.ndarray:
    """The scores, and to each its shares of those that follow it."""
    found = scores.copy()
    for after, share in enumerate(shares, start=1):
        found[:-after] += share * scores[after:]
    return found


def _blended(
    scores: numpy.ndarray, holding: numpy.ndarray, beside: Beside
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The scores with what stands beside them; and what scores anything in itself."""
    import numpy

    others = numpy.zeros(len(scores))
    found = beside.scores[: len(scores)]
    others[: len(found)] = numpy.maximum(found, 0.0)
    by_words = (1 - beside.share) * _of_the_best(scores)
    return by_words + beside.share * _of_the_best(others), holding | (others > 0)


def _of_the_best(scores: numpy.ndarray) -> numpy.ndarray:
    """Scores as parts of the highest: nothing hangs on what lies beyond them (law 3)."""
    best = scores.max(initial=0.0)
    found: numpy.ndarray = scores / best if best > 0 else scores
    return found


def _best(scores: numpy.ndarray, holding: numpy.ndarray, k: int) -> list[Match]:
    """The best `k` of those that score anything. Scores are rounded, so that the order does not hang
    on the last bit of a sum."""
    import numpy

    if k < 1 or not len(scores):
        return []
    heads = numpy.maximum.reduceat(scores, numpy.arange(0, len(scores), BLOCK))
    # As many blocks have one that is as good: so what is not is none of the best.
    least = numpy.partition(heads, -k)[-k] if len(heads) > k else 0.0
    found = numpy.flatnonzero(scores >= max(least - ROUNDED, ROUNDED))
    rounded = scores[found].round(6)
    order = numpy.lexsort((found, ~holding[found], -rounded))[:k]
    return [Match(int(found[n]), float(rounded[n]), bool(holding[found[n]])) for n in order]
