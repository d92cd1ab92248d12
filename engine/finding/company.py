"""The people of a world: by which words they are named, and how much was said to whom."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable

from whoknew.eventlog.words import STOP_WORDS, terms, words

REMEMBERED = 64
"""So many of one's last words to another are counted."""


class Company:
    """Whom the words of a name may mean, and what each has said before each. Its size is that of the
    cast, and of who meets whom."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.stems: set[str] = set()
        """Of names: they say of whom is spoken, not what of."""
        self._named: dict[str, list[str]] = {}
        self._said: dict[tuple[str, str], deque[int]] = {}

    def add(self, name: str) -> None:
        if name in self.names:
            return
        self.names.add(name)
        self.stems.update(terms(name))
        for word in dict.fromkeys(words(name)):
            if word not in STOP_WORDS:
                self._named.setdefault(word, []).append(name)

    def mentioned(self, spoken: Iterable[str]) -> dict[str, float]:
        """Who is named in these words, and how surely: a word may stand in several names."""
        found: dict[str, float] = {}
        for word in spoken:
            if word in self._named:
                those = self._named[word]
                for name in those:
                    found[name] = max(found.get(name, 0.0), 1 / len(those))
        return found

    def one_named(self, word: str) -> str | None:
        """Who is named by a word, where that is one alone."""
        those = self._named.get(word, ())
        return those[0] if len(those) == 1 else None

    def said(self, place: int, speaker: str, heard_by: Iterable[str]) -> None:
        for name in heard_by:
            if name != speaker:
                self._said.setdefault((speaker, name), deque(maxlen=REMEMBERED)).append(place)

    def said_since(self, place: int, speaker: str, hearer: str) -> int:
        """How much one has said before another from there on, of what is counted."""
        places = self._said.get((speaker, hearer), ())
        return len(places) - bisect_left(places, place)

    def nameless(self, stems: Iterable[str]) -> list[str]:
        """Those that are of no name."""
        return [stem for stem in stems if stem not in self.stems]
