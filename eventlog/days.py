"""On which day each document of a view was, and which of them are of a day that a question names."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from whoknew.eventlog.words import date_terms

if TYPE_CHECKING:
    import numpy


class Days:
    """A fold of the dates of a view: as often as the date changes a new run of documents begins."""

    def __init__(self) -> None:
        self._newest: date | None = None
        self._begins = array("I")
        """The first document of each run."""
        self._runs: dict[str, array[int]] = {}
        """Of each word of dates, the runs whose date holds it, in order."""

    def extend(self, first: int, days: Sequence[date]) -> None:
        """Take in the days of the next documents."""
        for number, day in enumerate(days, start=first):
            if day != self._newest:
                self._newest = day
                for term in date_terms(day):
                    self._runs.setdefault(term, array("I")).append(len(self._begins))
                self._begins.append(number)

    def named(self, asked: Iterable[str]) -> list[str]:
        """Those of these words that a date has held: seldom any."""
        return [term for term in asked if term in self._runs]

    def of(self, term: str, documents: int) -> numpy.ndarray:
        """Those of the first documents whose date holds a word, each as often as it does."""
        import numpy

        if term not in self._runs:
            return numpy.zeros(0, dtype=numpy.intp)
        runs = numpy.frombuffer(self._runs[term], dtype=numpy.uint32)
        bounds = numpy.append(self._begins, documents).clip(max=documents)
        begins, counts = bounds[runs], numpy.diff(bounds)[runs]
        places = numpy.arange(counts.sum()) - numpy.repeat(counts.cumsum() - counts, counts)
        found: numpy.ndarray = numpy.repeat(begins, counts) + places
        return found
