"""Who speaks in each document of a view, and whom a question names."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from whoknew.eventlog.words import terms

if TYPE_CHECKING:
    import numpy


class Speakers:
    """A fold of the actors of a view: each by a number."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {}
        self._called: dict[str, list[tuple[int, int]]] = {}
        """Who has a word in their name: each by number, with the first of their documents."""
        self._of = array("I")

    def extend(self, speakers: Sequence[str | None]) -> None:
        """Take in who speaks in the next documents."""
        for speaker in set(speakers) - self._numbers.keys():
            number = self._numbers[speaker] = len(self._numbers)
            document = len(self._of) + speakers.index(speaker)
            for term in set(terms(speaker or "")):
                self._called.setdefault(term, []).append((number, document))
        self._of.extend([self._numbers[speaker] for speaker in speakers])

    def meant(self, asked: Sequence[str], documents: int) -> numpy.ndarray | None:
        """Which of the first documents are of the one speaker whom these terms name: of all who speak
        in them, the only one whose name holds each of the terms that are of names."""
        import numpy

        named: Counter[int] = Counter()
        names = 0
        for term in asked:
            those = [number for number, first in self._called.get(term, ()) if first < documents]
            named.update(those)
            names += bool(those)
        meant = [number for number, count in named.items() if count == names]
        if len(meant) != 1:
            return None
        of = numpy.frombuffer(self._of, dtype=numpy.uint32)[:documents]
        return numpy.equal(of, meant[0])
