"""Episodes that are chapters: the numbers in their names, "chapter 2-4", and which book of a series they are
of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import EpisodeOpened

Numbers = tuple[int, ...]

_NUMBER = re.compile(r"[0-9]{1,6}")


def numbers(name: str) -> Numbers:
    """Those in a name, in their order."""
    return tuple(map(int, _NUMBER.findall(name)))


class Chapters:
    """The episodes of a world. One with two numbers or more in its name is a chapter of the book that
    the first of them says; any other belongs to the book of the episode before it. So a world without such
    names is one book."""

    def __init__(self, events: Iterable[Event]) -> None:
        """Of all that happened, or of its landmarks."""
        self._starts: list[int] = []
        """The seqs at which books begin."""
        self._placed: list[tuple[Numbers, int]] = []
        first = None
        for event in events:
            if not isinstance(event.body, EpisodeOpened):
                continue
            found = numbers(event.body.name)
            if len(found) > 1:
                self._placed.append((found, event.episode))
                if found[0] != first:
                    first = found[0]
                    self._starts.append(event.seq)
        self._placed.sort()

    def book(self, seq: int) -> int:
        """The place of the book that a seq is of, among all books of its world: the first is 0."""
        return max(0, bisect_right(self._starts, seq) - 1)

    def episode(self, chapter: Numbers) -> int | None:
        """The episode of a chapter, or of the last one before it; nothing where there is none."""
        place = bisect_right(self._placed, chapter, key=lambda one: one[0])
        return self._placed[place - 1][1] if place else None
