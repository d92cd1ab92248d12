"""Where each word of a view stands, and how often: in a document, and in those before that join it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from whoknew.eventlog.ranking import rarity
from whoknew.eventlog.word_numbers import WordNumbers

if TYPE_CHECKING:
    import numpy

BEFORE = 2
"""How many events before it join an event's document, at half its own weight: talk leans on what
was just said. (Measured on LoCoMo and FairytaleQA, flat@10: alone 0.63 and 0.88, joined at full
weight 0.74 and 0.89, at half 0.76 and 0.92; from 0.3 to 0.7 it makes little difference.)"""


KEPT = 256
"""So many times a word is said more than is counted, until the count is kept: the commonest words of a long life
stand in each document, and to count them was half of a search."""


FEW = 64
"""Fewer documents that come at a time are taken in word by word: arrays take longer to be made than that."""

NEWEST = 1024
"""So many words of such documents are sorted anew each time one is asked for; more are kept sorted."""

AT_ONCE = 2**20
"""So many signs of texts are looked up at once: that takes fifteen times their memory."""

LONGEST_JOINED = 2**20
"""A run of so many pairs is joined to no other: that would hold up everybody else for too long."""

DOCUMENT = 32
"""A pair is one number: in so many bits that of a document, and in those above that of a word."""


class WordCount(NamedTuple):
    """In which documents one word stands, in order, and how often, counted in halves; and which of them say
    it themselves."""

    where: numpy.ndarray
    halves: numpy.ndarray
    said: numpy.ndarray

    def before(self, document: int) -> WordCount:
        until = _place(self.where, document)
        said = self.said[: _place(self.said, document)]
        return WordCount(self.where[:until], self.halves[:until], said)


class Occurrences:
    """A fold of the words of a view, by their stems. What joins a document is reckoned where a word is asked for, and
    kept where that is common."""

    def __init__(self) -> None:
        self._numbers = WordNumbers()
        self._runs: list[numpy.ndarray] = []
        """The pairs of a word and a document that it stands in, sorted: of one document after another, in runs
        of which each is at least twice as long as the next, or too long to be joined."""
        self._newest = array("Q")
        """The pairs of documents that came a few at a time, and are in no run yet."""
        self._documents = 0
        self._before = [0] * BEFORE
        """How many words are in each of the newest documents."""
        self._kept: dict[str, tuple[int, WordCount]] = {}
        """The counts of words that are asked for and common, each of so many documents."""

    def extend(self, texts: Sequence[str]) -> list[int]:
        """Take in the next documents; how long each is, without stop words, with those that join it, in
        halves."""
        own = list[int]()
        for some in _portions(texts):
            own += self._take_in(some) if len(some) < FEW else self._take_in_many(some)
            self._documents += len(some)
        before = [*self._before, *own]
        self._before = before[-BEFORE:]
        return [2 * length + sum(before[n : n + BEFORE]) for n, length in enumerate(own)]

    def _take_in(self, texts: Sequence[str]) -> list[int]:
        lengths = []
        for number, text in enumerate(texts, start=self._documents):
            words = self._numbers.of_text(text)
            self._newest.extend([word << DOCUMENT | number for word in words])
            lengths.append(len(words))
        if len(self._newest) >= NEWEST:
            self._settle()
        return lengths

    def _take_in_many(self, texts: Sequence[str]) -> list[int]:
        """The same, whose steps are for all words at once."""
        import numpy

        self._settle()
        spoken = self._numbers.of_texts(texts)
        searched = numpy.flatnonzero(spoken.numbers)
        which = numpy.arange(len(texts)).repeat(spoken.counts)[searched]
        words = spoken.numbers[searched].astype(numpy.uint64)
        self._add(numpy.sort(words << DOCUMENT | (which + self._documents).astype(numpy.uint64)))
        lengths: list[int] = numpy.bincount(which, minlength=len(texts)).tolist()
        return lengths

    def _settle(self) -> None:
        if self._newest:
            self._add(self._of_newest())
            self._newest = array("Q")

    def _of_newest(self) -> numpy.ndarray:
        import numpy

        return numpy.sort(numpy.array(self._newest, numpy.uint64))

    def _add(self, run: numpy.ndarray) -> None:
        import numpy

        while self._runs and len(self._runs[-1]) < min(2 * len(run), LONGEST_JOINED):
            run = numpy.concatenate([self._runs.pop(), run])
            run.sort(kind="stable")  # each half is in order: it looks at each pair once
        self._runs.append(run)

    def standing(
        self, asked: Sequence[str], documents: int
    ) -> Iterator[tuple[float, Sequence[WordCount]]]:
        """How rare each of these words is that stands in the first documents, and where: in each part of them
        in order."""
        for counts in self._counts([word for word in asked if self._numbers.get(word) is not None]):
            cut = [count.before(documents) for count in counts]
            if often := sum(len(count.where) for count in cut):
                yield rarity(often, documents), cut

    def _counts(self, words: Sequence[str]) -> Iterable[Sequence[WordCount]]:
        """Of each word the count that is kept, and that of what came since."""
        import numpy

        kept = {word: self._kept[word] for word in words if word in self._kept}
        found = {word: [kept[word][1]] if word in kept else [] for word in words}
        since = {word: kept[word][0] if word in kept else 0 for word in words}
        behind = [word for word in words if since[word] < self._documents]
        said = self._said(behind, [max(0, since[word] - BEFORE) for word in behind])
        news = _counted(said, [since[word] for word in behind], self._documents)
        for word, places, count in zip(behind, said, news, strict=True):
            found[word].append(count)
            if len(places) >= KEPT:
                whole = WordCount(*map(numpy.concatenate, zip(*found[word], strict=True)))
                self._kept[word] = self._documents, whole
        return found.values()

    def _said(self, words: Sequence[str], since: Sequence[int]) -> list[numpy.ndarray]:
        """In which documents each word is said, from one on."""
        import numpy

        numbers = [self._numbers.get(word) or 0 for word in words]
        firsts = numpy.array(numbers, numpy.uint64) << DOCUMENT
        begins, ends = firsts + numpy.array(since, numpy.uint64), firsts + (1 << DOCUMENT)
        found: list[list[numpy.ndarray]] = [[begins[:0]] for _ in words]
        for run in [*self._runs, self._of_newest()] if self._newest else self._runs:
            spans = run.searchsorted([begins, ends]).T.tolist()
            for parts, (begin, end) in zip(found, spans, strict=True):
                if begin < end:
                    parts.append(run[begin:end])
        return [numpy.concatenate(parts).astype(numpy.uint32) for parts in found]


def _portions(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts, as many at a time as are looked up at once; a longer one by itself."""
    begin = signs = 0
    for end, text in enumerate(texts):
        if begin < end and signs + len(text) > AT_ONCE:
            yield texts[begin:end]
            begin, signs = end, 0
        signs += len(text)
    if begin < len(texts):
        yield texts[begin:]


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
    where = places[ends] >> 1
    begins, stops = where.searchsorted(firsts + since), where.searchsorted(firsts + upto)
    for word, first, document, begin, stop in zip(words, firsts, since, begins, stops, strict=True):
        numbers = (where[begin:stop] - first).astype(numpy.uint32)
        yield WordCount(numbers, halves[begin:stop], word[_place(word, document) :])


def _place(documents: numpy.ndarray, number: int) -> int:
    """Where a number stands in an array of numbers, or would: one of another type than theirs would have all
    of them converted first."""
    return int(documents.searchsorted(documents.dtype.type(number)))
