"""Names as they stand in questions."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.eventlog.words import words


def listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def holds_name(name: str, text: str) -> bool:
    """Whether a text holds a word of a name."""
    return not set(words(name)).isdisjoint(words(text))
