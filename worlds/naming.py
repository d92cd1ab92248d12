"""The names of people as they stand in a text: who of a world is named there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from whoknew.eventlog.words import STOP_WORDS, UNSPACED

_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:-[^\W_{UNSPACED}]+)*|[^\w\s]|_")
"""A word, with its hyphens; of scripts without spaces, one sign; or any other sign."""

Words = tuple[str, ...]

FEW = 8
"""Whether a text holds a word is told for so many of them sooner than the text is cut into words."""


class Names:
    """Somebody is named by the full name, or by the first name where nobody else in the world has
    it; by whole words, in capital and small letters as the name has them.

    How long a text takes to look through depends on the text, not on how many people there are.
    """

    def __init__(self, people: Iterable[str]) -> None:
        full = {_words(name): name for name in people}
        begins = {name: name.split()[0] for name in full.values() if name.strip()}
        shared = Counter(begins.values())
        first = {
            _words(word): name
            for name, word in begins.items()
            if shared[word] == 1 and _can_stand_alone(word)
        }
        self._full, self._first = full, first
        self._begins = {name: words[0] for words, name in full.items() if words}
        """The first word of each name."""
        self._lengths: dict[str, list[int]] = {}
        """Of each word, how many words the names have that begin with it, the longest first."""
        lengths = {(words[0], len(words)) for words in (*full, *first) if words}
        for word, length in sorted(lengths, reverse=True):
            self._lengths.setdefault(word, []).append(length)

    def named_in(self, text: str, among: Collection[str]) -> list[str]:
        """Those of them who are named, in order, each once."""
        if len(among) <= FEW and not self._may_name(text, among):
            return []
        words, behind = _words(text), 0
        found: dict[str, None] = {}
        if self._lengths.keys().isdisjoint(words):
            return []
        for at, word in enumerate(words):
            if word in self._lengths and at >= behind:
                name, length = self._name_at(words, at)
                if name is not None and name in among:
                    found[name] = None
                behind = at + length
        return list(found)

    def _may_name(self, text: str, among: Collection[str]) -> bool:
        """Whether the first word of any of their names stands in a text, be it within another word."""
        text, begins = _straight(text), self._begins
        return any(begins[name] in text for name in among if name in begins)

    def _name_at(self, words: Words, at: int) -> tuple[str | None, int]:
        """The longest name that begins at a word, and how many words it has."""
        for length in self._lengths.get(words[at], ()):
            some, after = words[at : at + length], words[at + length : at + length + 1]
            if some in self._full:
                return self._full[some], length
            if some in self._first and not _is_surname(after):
                return self._first[some], length
        return None, 1


def _words(text: str) -> Words:
    return tuple(_WORD.findall(_straight(text)))


def _straight(text: str) -> str:
    return text.replace("’", "'")  # noqa: RUF001  (as it is printed)


def _can_stand_alone(word: str) -> bool:
    """Whether the first word of a name says who is meant: `The`, `old` and `Mr.` do not."""
    return not (word.casefold() in STOP_WORDS or word.islower() or word.endswith("."))


def _is_surname(after: Sequence[str]) -> bool:
    """Whether a first name goes on, and so is somebody else's: Oda Lind is not Oda Berg."""
    return any(word[0].isupper() and word != "I" for word in after)
