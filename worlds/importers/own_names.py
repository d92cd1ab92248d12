"""The own names of people who are called otherwise: of whoever is called "Captain Mara Quill" it is
"Mara Quill"."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 200
"""Signs of a name that are looked at: no world takes a longer one."""


class OwnNames:
    """Looks for own names by their lengths: for as long however many there are."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._places: dict[str, int] = {}
        for place, name in enumerate(names):
            self._places.setdefault(name.lower(), place)
        self._lengths = set(map(len, self._places))
        self._found: dict[str, str] = {}

    def of(self, called: str) -> str:
        """The first of the names that stands in what somebody is called; or that itself."""
        if called not in self._found:
            text = called.lower()[:LONGEST]
            held = (
                self._places[part]
                for length in self._lengths
                for start in range(len(text) - length + 1)
                if (part := text[start : start + length]) in self._places
            )
            first = min(held, default=None)
            self._found[called] = called if first is None else self._names[first]
        return self._found[called]
