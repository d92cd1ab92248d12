"""Who witnessed an event, in a column: by their initials, which are the same as on the page; or how many
where they are too many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from whoknew.engine.terminal.console import out, safe, unicode_is_safe
from whoknew.engine.travel.people import initials
from whoknew.eventlog import Event

MANY = 20
"""More places than these nobody tells apart, and wider they would leave no room for the words."""

CROWD = 60
"""Of more people than these nobody reads who is who."""

ROOM = 13
"""Columns that the initials of witnesses may take where they are many: else it is said how many."""

Sign = Callable[[str], tuple[str, str]]
"""What stands for a name, and in which style."""


class Witnesses:
    """Of some `people`, whose initials tell them from `everybody`. An empty place is somebody who does
    not know."""

    def __init__(self, people: Sequence[str], everybody: Sequence[str] = ()) -> None:
        self._letters = lettered(people, everybody) if len(people) <= CROWD else {}
        self._count = len(people)
        self._many = in_places(self._letters, _empty).cell_len > MANY

    @property
    def width(self) -> int:
        if not self._letters:
            return len(str(self._count))
        return ROOM if self._many else in_places(self._letters, _empty).cell_len

    def of(self, event: Event) -> Text:
        if not self._letters:
            return Text(f"{len(event.witnesses):>{self.width}}", style="green")
        if self._many:
            return self._named(event.witnesses)
        there = set(event.witnesses)
        letters = self._letters
        return in_places(
            letters, lambda name: (letters[name], "bold green") if name in there else _empty(name)
        )

    def legend(self) -> str:
        if not self._letters:
            return f"Witnesses: how many of {self._count}; --json names them"
        many = f", or how many of {self._count}" if self._many else ""
        return told_apart(self._letters, f"Witnesses{many}: ")

    def _named(self, witnesses: Iterable[str]) -> Text:
        """Their initials, as far as there is room for all of them."""
        there = [letters for name in witnesses if (letters := self._letters.get(name))]
        words = " ".join(there)
        if cell_len(words) > ROOM:
            words = str(len(there))
        return Text(words + " " * (ROOM - cell_len(words)), style="bold green" if there else "dim")


def among(people: Sequence[str], events: Iterable[Event]) -> list[str]:
    """Those who witness any of it, in their order."""
    there = {name for event in events for name in event.witnesses if event.episode}
    return [name for name in people if name in there]


def lettered(people: Sequence[str], everybody: Sequence[str] = ()) -> dict[str, str]:
    """The initials of some, as they tell them from everybody."""
    found = initials(tuple(dict.fromkeys([*everybody, *people])))
    return {name: safe(found[name]) for name in people}


def told_apart(letters: Mapping[str, str], before: str = "") -> str:
    """Who is who, behind some words: initials and their name stay on one line."""
    space, width = "\u00a0" if unicode_is_safe() else " ", out().width
    lines = [before]
    for name, letter in letters.items():
        person = f"{letter}{space}{safe(name)}"
        gap = "" if lines[-1] in ("", before) else "  "
        if not lines[-1] or cell_len(lines[-1] + gap + person) <= width:
            lines[-1] += gap + person
        else:
            lines.append(person)
    return "\n".join(lines)


def in_places(letters: Mapping[str, str], sign: Sign) -> Text:
    """A sign for each, each in its own place, as wide as its initials."""
    apart = " " if any(cell_len(letter) > 1 for letter in letters.values()) else ""
    text = Text()
    for name, letter in letters.items():
        shown, style = sign(name)
        text.append(apart if text else "").append(shown, style=style)
        text.append(" " * (cell_len(letter) - cell_len(shown)))
    return text


def _empty(name: str) -> tuple[str, str]:
    return "·" if unicode_is_safe() else ".", "dim"
