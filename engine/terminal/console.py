"""Where things are shown: on a terminal or in a pipe, which no escape sequence in them can break."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

_JOINERS = "\u200c\u200d"
"""Unseen, but scripts and emoji are written with them, and they move no cursor."""


class TextLines(tuple[Text, ...]):
    """Lines that are laid out already, however many: they are written as they are."""

    __slots__ = ()


def out() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def laid_out(text: Text) -> Iterator[Text]:
    """A text as lines that fit."""
    console = out()
    for line in text.wrap(console, console.width):
        line.rstrip()
        yield line


def err() -> Console:
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def whole(text: str, style: str = "cyan") -> Text:
    """A line that is never broken, however wide the terminal: what stands in it is copied."""
    return Text(text, style, no_wrap=True, overflow="ignore")


def safe(text: str) -> str:
    """The text with its control characters spelt out: names and texts come from anywhere."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in _JOINERS else _spelt(sign) for sign in text
    )


def either(names: Sequence[str], joint: str) -> str:
    """Names in a sentence: A, B or C."""
    *most, last = [safe(name) for name in names] or ["nobody"]
    return f"{', '.join(most)} {joint} {last}" if most else last


def unicode_is_safe() -> bool:
    """Whether what is written to can hold more than ASCII."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _spelt(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


def lined(text: str) -> str:
    """A text of several lines, each of them safe."""
    return "\n".join(map(safe, text.splitlines()))


def suggested(command: str) -> Text:
    """A command to go on with, on a line of its own, as it can be copied."""
    return Text(f"  {safe(command)}", style="cyan")
