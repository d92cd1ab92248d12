"""What no longer holds, as `offline:` reads it: of a text that says that something is otherwise now, which
sentences say so, and which words of them are only of what was so until then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whoknew.eventlog.words import sentences, terms

_NOT = r"(?:\b(?:not|never)|n't)\b"

_TURNS = re.compile(
    r"\b(?:no longer|never again|instead of|from now on)\b"
    rf"|{_NOT}(?:(?!{_NOT})[^.;:])*?\bany ?more\b|\bnow(?:[.!](?=\s|$)|\s*$)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:no longer|any ?more|never again|instead of|rather than|used to)\b|^\W*not\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:.!?]\s+|(?<!\s)\s++(?:but|and)\s+")


def turning(text: str) -> Iterator[str]:
    """Its sentences that say that something is otherwise now."""
    yield from (one for _, one in turns(text))


def turns(text: str) -> Iterator[tuple[str, str]]:
    """Each of them behind the sentence before it."""
    before = ""
    for one in map(str.strip, sentences(text) if _TURNS.search(text) else ()):
        if _TURNS.search(one):
            yield before, one
        before = one


SAYING_SO = frozenset(terms("no longer any more never again instead from now on"))
"""The words that only say that something is otherwise."""


def gone(text: str) -> frozenset[str]:
    """The words of what it says is over, that stand in nothing else that it says."""
    if not _TURNS.search(text):
        return frozenset()
    over, held = set[str](), set[str]()
    for clause in _CLAUSE.split(text):
        (over if _GONE.search(clause) else held).update(terms(clause))
    return frozenset(over - held)


def replaced(text: str) -> bool:
    """Whether something comes in the place of what it says is over."""
    return any(
        terms(clause) and not _GONE.search(clause)
        for one in turning(text)
        for clause in _CLAUSE.split(one)
    )
