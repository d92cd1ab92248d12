"""Whether a text that a model gave is one: not empty, not endless, with nothing in it that is no text."""

from __future__ import annotations

from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.eventlog.words import words


def text_fault(what: str, text: str, most: int, least: int = 1) -> CheckFailed | None:
    """`least` to `most` words, in one line or in several."""
    if not "".join(text.split()).isprintable():
        return CheckFailed("wording", f"{what} holds signs that are no text.")
    count = len(words(text))
    if not least <= count <= most:
        return CheckFailed("length", f"{what} has {count} words: give {least} to {most}.")
    if "{" in text or "}" in text:
        return CheckFailed("wording", f"{what} holds braces: write plain text.")
    return None


def short(text: str) -> str:
    """As it is told in a reason."""
    return repr(text[:80])
