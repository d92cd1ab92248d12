"""The words of a text as they are searched: folded, without stop words, stemmed; its sentences.

Stop words and stems are English. Which language a text is in is not asked: the stemmer cuts English
endings, which are of plain Latin letters, and leaves words of other scripts as they are. Of other
languages in Latin letters a word may lose what looks like an English ending, in texts and in what is
searched for alike. Scripts without spaces are searched sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from threading import Lock
from typing import Any

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being between both
    but by can could did do does doing down during each few for from further get got had has have
    having he her here hers herself him himself his how i if in into is it its itself just let me
    more most my myself no nor not now of off on once only or other our ours ourselves out over own
    s same she should so some such t than that the their theirs them themselves then there these
    they this those through to too under until up upon us very was we were what when where which
    while who whom whose why will with would you your yours yourself yourselves
    d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
    """.split()  # noqa: SIM905  (as prose it can be read)
)
"""The words that are not searched for, of a question as of any text."""

UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3"
"""Scripts that leave no space between words: kana, Han, Hangul."""

MONTHS = """
    January February March April May June July August September October November December
    """.split()  # noqa: SIM905
"""Not those of `calendar`, which are told in the language of the machine."""

QUOTED = re.compile(r'"[^"]*"')
"""What stands between quotation marks, with them."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")

LONGEST = 64
"""Of a longer word only so many signs count: the stemmer's time grows with the square of them, and
no index is to hold a megabyte for a word."""

_WORD = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}]+")


_SMALL = bytes(ord(sign.lower()) if sign.isalnum() else ord(" ") for sign in map(chr, range(128)))
_SMALL += bytes(range(128, 256))
"""What each sign of ASCII is in words: small, or between two of them. What else there is stays as it is."""

_stemming = Lock()
"""The stemmer keeps its word in itself: texts are read on several threads."""


def words(text: str) -> list[str]:
    """Runs of letters and digits, in order, small; accents stay; of scripts without spaces, one sign at a time."""
    if text.isascii():  # in a fifth of the steps
        return spaced(text.encode()).decode().split()
    return _WORD.findall(text.casefold())


def written(text: str) -> bytes:
    """A text in UTF-8, to be cut by `spaced`: of one that is not of ASCII alone, its words."""
    return text.encode() if text.isascii() else " ".join(words(text)).encode()


def spaced(text: bytes) -> bytes:
    """What was written, one or many together: its words, with nothing but spaces between them."""
    return text.translate(_SMALL)


def sentences(text: str) -> list[str]:
    """A text, cut after each sentence and at the ends of its lines."""
    return _SENTENCE_END.split(text)


def terms(text: str) -> list[str]:
    """The stems of the words, without stop words."""
    return stems(words(text))


def stems(spoken: Iterable[str]) -> list[str]:
    """Those of words that were taken from a text, without stop words."""
    return list(filter(None, map(_STEMS.__getitem__, spoken)))


def stem_of(word: str) -> str:
    """The stem of a word that is in small letters; of a stop word nothing."""
    return _STEMS[word]


@lru_cache(maxsize=1000)
def date_terms(day: date) -> list[str]:
    """Day, month and year, as they are spoken of."""
    return terms(f"{day.day} {MONTHS[day.month - 1]} {day.year}")


class _Stems(dict[str, str]):
    """Of each word that was met its stem; of a stop word nothing. To look one up takes less than to ask
    whether it is a stop word. As many as `KEPT` stay at hand, and none that is longer than counts."""

    KEPT = 100_000

    def __missing__(self, word: str) -> str:
        stem = "" if word in STOP_WORDS else _stem(word[:LONGEST])
        if len(word) <= LONGEST:
            if len(self) >= self.KEPT:
                self.clear()
            self[word] = stem
        return stem


_STEMS = _Stems()


def _stem(word: str) -> str:
    with _stemming:
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("porter")


def titled(name: str, description: str) -> str:
    """A description under its name, which it may begin with itself."""
    if description.startswith(f"{name}."):
        return description
    return f"{name}. {description}" if description else name
