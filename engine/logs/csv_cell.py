"""A cell of a table in CSV, which can do no harm where it is opened or printed."""

from __future__ import annotations

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a text begins with that a spreadsheet would reckon instead of showing it."""

KEPT = "\n\t\u200c\u200d"
"""Ends of lines, and the unseen signs that scripts and emoji are written with."""


def harmless(value: object) -> object:
    """A text that a spreadsheet would take for a formula has a quote before it."""
    if not isinstance(value, str):
        return value
    quoted = f"'{value}" if value.startswith(FORMULAS) else value
    lines = quoted.replace("\r\n", "\n").replace("\r", "\n")  # one kind of line within a row
    return spelt(lines)


def spelt(text: str) -> str:
    """The text with its control signs spelt out: an answer may hold any, and a file is read with
    `cat`, too."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in KEPT else sign.encode("unicode_escape").decode()
        for sign in text
    )
