"""Where each word of a view stands, and how often: in a document, and in those before that join it."""

from __future__ import annotations

from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from whoknew.eventlog.ranking import rarity
from whoknew.eventlog.words import LONGEST, stem_of

if TYPE_CHECKING:
    import numpy

BEFORE = 2
"""How many events before it join an event's document, at half its own weight: talk leans on what
was just said. (Measured on LoCoMo and FairytaleQA, flat@10: alone 0.63 and 0.88, joined at full
weight 0.74 and 0.89, at half 0.76 and 0.92; from 0.3 to 0.7 it makes little difference.)"""


KEPT = 256
"""So many times a word is said more than is counted, until the count is kept: the commonest words of a long life
stand in each document, and to count them was half of a search."""


class WordPlaces(NamedTuple):
    """In which documents some words stand, word by word, and in each in order: how often, counted in
    halves, whether that is of its own, and how rare the word is."""

    where: numpy.ndarray
    halves: numpy.ndarray
    own: numpy.ndarray
    rarity: numpy.ndarray


class WordCount(NamedTuple):
    """In which documents one word stands, in order: how often, counted in halves, and whether that is of
    its own."""

    where: numpy.ndarray
    halves: numpy.ndarray
    own: numpy.ndarray

    def before(self, document: int) -> WordCount:
        until = _place(self.where, document)
        return WordCount(self.where[:until], self.halves[:until], self.own[:until])


class Occurrences:
    """A fold of the words of a view, by their stems. What joins a document is reckoned where a word is asked for, and
    kept where that is common."""

    def __init__(self) -> None:
        self._of: defaultdict[str, array[int]] = defaultdict(_never)
        """Of each stem, in order, the number of a document each time that it is said there. Plain arrays,
        for a long life has very many: the garbage collector does not walk them."""
        self._unsearched = _never()
        """The stop words of the document that is taken in: counted, and forgotten with it."""
        self._spoken = _Spoken(self._of, self._unsearched)
        self._documents = 0
        self._before: deque[int] = deque(maxlen=BEFORE)
        """How many words are in each of the newest documents."""
        self._kept: dict[str, tuple[int, WordCount]] = {}
        """The counts of words that are asked for and common, each of so many documents."""

    def extend(self, spoken: Iterable[Sequence[str]]) -> list[int]:
        """Take in the words of the next documents, as they are spoken; how long each is, without stop words,
        with those that join it, in halves."""
        lengths, places_of, before = list[int](), self._spoken.__getitem__, self._before
        unsearched = self._unsearched
        for number, own in enumerate(spoken, start=self._documents):
            for places in map(places_of, own):
                places.append(number)
            length = len(own) - len(unsearched)
            del unsearched[:]
            lengths.append(2 * length + sum(before))
            before.append(length)
        self._documents += len(lengths)
        return lengths

    def standing(self, asked: Sequence[str], documents: int) -> WordPlaces | None:
        """Where these words stand in the first documents, if anywhere."""
        import numpy

        found, often = list[WordCount](), list[int]()
        for counts in self._counts([word for word in asked if word in self._of]):
            found += (cut := [count.before(documents) for count in counts])
            often.append(sum(len(count.where) for count in cut))
        if not any(often):
            return None
        where, halves, own = map(numpy.concatenate, zip(*found, strict=True))
        rare = numpy.array([rarity(count, documents) for count in often]).repeat(often)
        return WordPlaces(where.astype(numpy.intp), halves, own, rare)

    def _counts(self, words: Sequence[str]) -> Iterable[Sequence[WordCount]]:
        """Of each word the count that is kept, and that of what came since."""
        import numpy

        kept = {word: self._kept[word] for word in words if word in self._kept}
        found = {word: [kept[word][1]] if word in kept else [] for word in words}
        since = {word: kept[word][0] if word in kept else 0 for word in words}
        behind = [word for word in words if since[word] < self._documents]
        said = []
        for word in behind:
            places = numpy.frombuffer(self._of[word], numpy.uint32)
            said.append(places[_place(places, max(0, since[word] - BEFORE)) :])
        news = _counted(said, [since[word] for word in behind], self._documents)
        for word, places, count in zip(behind, said, news, strict=True):
            found[word].append(count)
            if len(places) >= KEPT:
                whole = WordCount(*map(numpy.concatenate, zip(*found[word], strict=True)))
                self._kept[word] = self._documents, whole
        return found.values()


def _counted(
    words: Sequence[numpy.ndarray], since: Sequence[int], upto: int
) -> Iterator[WordCount]:
    """The counts of words that are said in these documents, from one on: all words at once, for an array
    takes longer to be made than to be filled."""
    import numpy

    span = upto + BEFORE
    firsts = span * numpy.arange(len(words))  # one number for a word in a document
    said = [places + first for places, first in zip(words, firsts, strict=True)]
    own = 2 * numpy.concatenate(said or [firsts]) + 1
    places = numpy.concatenate([own, *(own - 1 + 2 * after for after in range(1, BEFORE + 1))])
    places.sort()  # what is its own stands last
    ends = numpy.flatnonzero(numpy.diff(places >> 1, append=-1))
    halves = numpy.diff(((places & 1) + 1).cumsum()[ends], prepend=0).astype(numpy.uint32)
    where, own = places[ends] >> 1, (places[ends] & 1).astype(bool)
    begins, stops = where.searchsorted(firsts + since), where.searchsorted(firsts + upto)
    for first, begin, stop in zip(firsts, begins, stops, strict=True):
        numbers = (where[begin:stop] - first).astype(numpy.uint32)
        yield WordCount(numbers, halves[begin:stop], own[begin:stop])


def _place(documents: numpy.ndarray, number: int) -> int:
    """Where a number stands in an array of numbers, or would: one of another type than theirs would have all
    of them converted first."""
    return int(documents.searchsorted(documents.dtype.type(number)))


class _Spoken(dict[str, "array[int]"]):
    """Where each word stands, as it is spoken: with all others of its stem. So of a text that comes in each
    word is looked up once, and no list is made of its stems. It takes as much memory as the words that were
    ever spoken: half a megabyte for a life of a million tokens, whose places take three."""

    def __init__(self, of: defaultdict[str, array[int]], unsearched: array[int]) -> None:
        self._of, self._unsearched = of, unsearched

    def __missing__(self, word: str) -> array[int]:
        stem = stem_of(word)
        places = self._of[stem] if stem else self._unsearched
        if len(word) <= LONGEST:
            self[word] = places
        return places


def _never() -> array[int]:
    return array("I")
