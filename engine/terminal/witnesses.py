"""Who witnessed an event, in a column: a letter each, or how many where they are too many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase, digits

from rich.text import Text

from whoknew.engine.terminal.console import safe, unicode_is_safe
from whoknew.eventlog import Event

MANY = 20
"""More letters than these nobody tells apart, and they would leave no room for the words."""


class Witnesses:
    """An empty place is somebody who does not know."""

    def __init__(self, people: Sequence[str]) -> None:
        self._letters = initials(people) if len(people) <= MANY else {}
        self._count = len(people)

    @property
    def width(self) -> int:
        return len(self._letters) or len(str(self._count))

    def of(self, event: Event) -> Text:
        if self._letters:
            return witnessed(event.witnesses, self._letters)
        return Text(f"{len(event.witnesses):>{self.width}}", style="green")

    def legend(self) -> str:
        if not self._letters:
            return f"Witnesses: how many of {self._count}; --json names them"
        # A letter and its name stay on one line.
        space = "\u00a0" if unicode_is_safe() else " "
        names = (f"{letter}{space}{safe(name)}" for name, letter in self._letters.items())
        return f"Witnesses: {'  '.join(names)}"


def among(people: Sequence[str], events: Iterable[Event]) -> list[str]:
    """Those who witness any of it, in their order."""
    there = {name for event in events for name in event.witnesses if event.episode}
    return [name for name in people if name in there]


def initials(people: Sequence[str]) -> dict[str, str]:
    """A letter for each: the first of its name that nobody before it has, else any that is free."""
    letters: dict[str, str] = {}
    for name in people:
        own = (sign.upper() for sign in name if sign.isalnum() and sign.isascii())
        taken = set(letters.values())
        free = (one for one in (*own, *digits[1:], *ascii_uppercase) if one not in taken)
        letters[name] = next(free, "+")
    return letters


def witnessed(witnesses: Iterable[str], letters: dict[str, str]) -> Text:
    """The letters of those who witnessed it, each in its own place."""
    there = set(witnesses)
    empty = "·" if unicode_is_safe() else "."
    text = Text()
    for name, letter in letters.items():
        text.append(*((letter, "bold green") if name in there else (empty, "dim")))
    return text
