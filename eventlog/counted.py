"""How many of something there are, as messages, tables and pictures say it."""

from __future__ import annotations

import re

_VOWEL_Y = re.compile(r"[aeiou]y$")
_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")


def counted(count: int, noun: str) -> str:
    """1 event, 2,000 events, 2 speeches, 3 queries."""
    return f"{count:,} {noun if count == 1 else _plural(noun)}"


def counted_or_no(count: int, noun: str) -> str:
    """The same, and of none: no events."""
    return counted(count, noun) if count else f"no {_plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and not _VOWEL_Y.search(noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if _HISSING.search(noun) else f"{noun}s"
