"""A long text, cut around the words that were looked for in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from rich.text import Text

from whoknew.eventlog.words import terms

FAR = 100_000
"""So many letters of a text are looked through: a text has no end."""

BEFORE = 40
"""Letters before the first of the words, so that one sees what is spoken of."""

_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[^:\n]{1,60}: ")


def around(text: Text, wanted: Collection[str], letters: int) -> Text:
    """At most so many letters of it: its beginning, unless more of the wanted terms stand together further
    on. Who speaks is named in any case."""
    begins, ends = _thickest(text.plain[:FAR], wanted, letters - 2 * BEFORE)
    if ends <= letters:
        return _cut(text, letters)
    speaker = _NAME.match(text.plain)
    head = text[: speaker.end()] if speaker else Text()
    begins = text.plain.rfind(" ", len(head), max(len(head), begins - BEFORE)) + 1
    return Text.assemble(head, "… ", _cut(text[begins:], letters - len(head) - 2))


def _cut(text: Text, letters: int) -> Text:
    text = text.copy()
    text.truncate(letters, overflow="ellipsis")
    return text


def _thickest(plain: str, wanted: Collection[str], letters: int) -> tuple[int, int]:
    """From where to where most of the wanted terms stand within so many letters, the first such place."""
    found = [
        (word, term)
        for word in _WORD.finditer(plain)
        for term in terms(word.group())
        if term in wanted
    ]
    best, most, first, counts = (0, 0), 0, 0, Counter[str]()
    for word, term in found:
        counts[term] += 1
        while word.start() - found[first][0].start() > letters:
            gone = found[first][1]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            first += 1
        if len(counts) > most:
            best, most = (found[first][0].start(), word.end()), len(counts)
    return best
