"""The words of a view as numbers: each word has that of its stem, and a stop word has 0.

Whoever comes to a long life reads a thousand texts at a time. To look up each word by itself is to wait for
the machine's memory at each; so those of up to eight bytes are looked up all at once, as the one number of
64 bits that these bytes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from whoknew.eventlog.words import LONGEST, spaced, stem_of, written

if TYPE_CHECKING:
    import numpy

SHORT = 8
"""So many bytes of a word are one number."""

SPREAD = 0x9E3779B97F4A7C15
"""What words are multiplied by, that they are spread over a table: 2^64 over the golden ratio."""


class NumberedWords(NamedTuple):
    """The numbers of all words of some texts, one after another, and how many are in each text."""

    numbers: numpy.ndarray
    counts: numpy.ndarray


class WordNumbers:
    """Grows by what is spoken. It takes as much memory as the words that were ever spoken: two megabytes for
    a life of a million tokens."""

    def __init__(self) -> None:
        self._of_stems: dict[str, int] = {}
        self._of_words = _OfWords(self._of_stems)
        self._of_short = _OfShort(self._of_words)

    def get(self, stem: str) -> int | None:
        """The number of a stem; None where it was never spoken."""
        return self._of_stems.get(stem)

    def of_text(self, text: str) -> list[int]:
        """The words of one text, without stop words."""
        return list(filter(None, map(self._of_words.__getitem__, spaced(written(text)).split())))

    def of_texts(self, texts: Sequence[str]) -> NumberedWords:
        """The words of many texts."""
        import numpy

        parts = list(map(written, texts))
        data = b" %b %b" % (spaced(b" ".join(parts)), bytes(SHORT))
        gaps = numpy.frombuffer(data, numpy.uint8)[:-SHORT] == ord(" ")
        begins = numpy.flatnonzero(gaps[:-1] & ~gaps[1:]) + 1
        sizes = numpy.flatnonzero(~gaps[:-1] & gaps[1:]) + 1 - begins
        numbers = numpy.empty(len(begins), numpy.uint32)
        short, long = numpy.flatnonzero(sizes <= SHORT), numpy.flatnonzero(sizes > SHORT)
        eights = numpy.ndarray(len(gaps), "<u8", data, strides=(1,))[begins[short]]
        numbers[short] = self._of_short.numbers(eights & _firsts()[sizes[short]])
        spans = zip(begins[long].tolist(), (begins + sizes)[long].tolist(), strict=True)
        numbers[long] = [self._of_words[data[begin:end]] for begin, end in spans]
        behind = numpy.cumsum([len(part) + 1 for part in parts])
        return NumberedWords(numbers, numpy.diff(begins.searchsorted(behind), prepend=0))


class _OfWords(dict[bytes, int]):
    """The number of each word, as it is spoken: that of its stem, from 1."""

    def __init__(self, of_stems: dict[str, int]) -> None:
        self._of_stems = of_stems

    def __missing__(self, word: bytes) -> int:
        stem = stem_of(word.decode())
        number = self._of_stems.setdefault(stem, len(self._of_stems) + 1) if stem else 0
        if len(word) <= LONGEST:
            self[word] = number
        return number


class _OfShort:
    """The same of many short words at once. Each has one place in a table; of two that have the same one
    of them is looked up by itself."""

    def __init__(self, of_words: _OfWords) -> None:
        self._of_words = of_words
        self._make(2**12)

    def _make(self, size: int) -> None:
        import numpy

        self._words, self._numbers = numpy.zeros(size, "<u8"), numpy.zeros(size, numpy.uint32)
        self._shift = numpy.uint64(65 - size.bit_length())

    def numbers(self, words: numpy.ndarray) -> numpy.ndarray:
        import numpy

        places = self._places(words)
        found: numpy.ndarray = self._numbers[places]
        others = numpy.flatnonzero(self._words[places] != words)
        if len(others):
            new, which = numpy.unique(words[others], return_inverse=True)
            spelt = new.view(f"S{SHORT}").tolist()
            numbers = numpy.array(list(map(self._of_words.__getitem__, spelt)), numpy.uint32)
            found[others] = numbers[which]
            self._take_in(new, numbers)
        return found

    def _take_in(self, words: numpy.ndarray, numbers: numpy.ndarray) -> None:
        import numpy

        taken = numpy.flatnonzero(self._words)
        if 4 * (len(taken) + len(words)) > len(self._words):
            words = numpy.concatenate([self._words[taken], words])
            numbers = numpy.concatenate([self._numbers[taken], numbers])
            self._make(8 * 2 ** len(words).bit_length())
        places = self._places(words)
        self._words[places] = words
        stays = self._words[places] == words  # of two that have the same place one
        self._numbers[places[stays]] = numbers[stays]

    def _places(self, words: numpy.ndarray) -> numpy.ndarray:
        places: numpy.ndarray = ((words * SPREAD) >> self._shift).astype("intp")
        return places


def _firsts() -> numpy.ndarray:
    """By number, what keeps so many of the first bytes."""
    import numpy

    return numpy.array([2 ** (8 * count) - 1 for count in range(SHORT + 1)], numpy.uint64)
