"""What a question asks for, as `offline:` reads it: without the choices behind it, and without words that only
say that it asks for what holds now."""

from __future__ import annotations

import re

_CHOICES = " Answer with one of these"
_LAST = re.compile(
    r"(?:(?<!\s)\s++|,\s*+)?\b(?:by|according to|going by) what was last "
    r"(?:said|told|written)(?: of (?:it|them))?\b",
    re.IGNORECASE,
)
_STANDS = re.compile(r"\b(?:now|at present|these days|last said)\b", re.IGNORECASE)


def unframed(question: str) -> str:
    """Without its choices, and without "by what was last said of it": no line is found by that."""
    return _LAST.sub("", alone(question))


def alone(question: str) -> str:
    """Without its choices."""
    return question.partition(_CHOICES)[0]


def of_now(question: str) -> bool:
    """Whether it asks for what holds now, or was said last."""
    return bool(_STANDS.search(question))
