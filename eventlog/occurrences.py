"""Where each word of a view stands, and how often: in a document, and in those before that join it."""

from __future__ import annotations

from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from whoknew.eventlog.ranking import rarity

if TYPE_CHECKING:
    import numpy

BEFORE = 2
"""How many events before it join an event's document, at half its own weight: talk leans on what
was just said. (Measured on LoCoMo and FairytaleQA, flat@10: alone 0.63 and 0.88, joined at full
weight 0.74 and 0.89, at half 0.76 and 0.92; from 0.3 to 0.7 it makes little difference.)"""


class WordPlaces(NamedTuple):
    """In which documents some words stand, word by word, and in each in order: how often, counted in
    halves, whether that is of its own, and how rare the word is."""

    where: numpy.ndarray
    halves: numpy.ndarray
    own: numpy.ndarray
    rarity: numpy.ndarray


class Occurrences:
    """A fold of the words of a view. What joins a document is written down with it, for each word that
    is asked for is asked for more often than it is said."""

    def __init__(self) -> None:
        self._of: defaultdict[str, array[int]] = defaultdict(_never)
        """Of each word, in order, each time that it stands in a document: twice the document's number,
        and one more where the word is its own. Plain arrays, for a long life has very many: the
        garbage collector does not walk them."""
        self._before: deque[list[array[int]]] = deque(maxlen=BEFORE)
        """What is written down of each word of the newest documents."""

    def extend(self, first: int, spoken: Iterable[Sequence[str]]) -> list[int]:
        """Take in the words of the next documents; how long each is with those that join it, in halves."""
        lengths, of, before = list[int](), self._of.__getitem__, self._before
        for number, own in enumerate(spoken, start=first):
            words, halves, place = list(map(of, own)), 2 * len(own), 2 * number
            for joined in before:
                halves += len(joined)
                for places in joined:
                    places.append(place)
            place += 1
            for places in words:
                places.append(place)
            before.append(words)
            lengths.append(halves)
        return lengths

    def standing(self, asked: Sequence[str], documents: int) -> WordPlaces | None:
        """Where these words stand in the first documents, if anywhere: all of them at once, for an
        array takes longer to be made than to be filled."""
        import numpy

        upto = numpy.uint32(2 * documents)  # a number of their own type: else all are cast
        found = [
            numpy.frombuffer(self._of[word], numpy.uint32) for word in asked if word in self._of
        ]
        found = [places[:until] for places in found if (until := int(places.searchsorted(upto)))]
        if not found:
            return None
        places = numpy.concatenate(found)
        where, own = places >> 1, (places & 1).astype(bool)
        bounds = numpy.cumsum([0, *map(len, found)])
        new = numpy.append(True, where[1:] != where[:-1])
        new[bounds[:-1]] = True
        begins = numpy.flatnonzero(new)
        ends = numpy.append(begins[1:], len(places)) - 1  # what is its own stands last there
        halves = numpy.diff((own + 1).cumsum()[ends], prepend=0)
        counts = numpy.diff(begins.searchsorted(bounds))
        weights = numpy.array([rarity(int(count), documents) for count in counts])
        where = where[begins].astype(numpy.intp)
        return WordPlaces(where, halves, own[ends], weights.repeat(counts))


def _never() -> array[int]:
    return array("I")
