"""What can be wrong with a world that is to be played.

WorldError
├── OffStage    something that cannot happen as people stand: one who is not there speaks
├── BadSource   a file to import that cannot be read, or is something else
├── TooFew      a bank has fewer scenarios that fit than are to be played
├── TooDeep     a document of tables and lists in one another, further than any needs
└── BadDocument a setting or a plan with mistakes in it: all of them, each with its place
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class WorldError(Exception):
    """Whatever keeps a world from being played."""


class OffStage(WorldError):
    """Something that cannot happen as people stand just now."""


class BadSource(WorldError):
    """A file to import that cannot be read, or is something else."""


class TooFew(WorldError):
    """A bank has fewer scenarios that fit than are to be played."""


class TooDeep(WorldError, ValueError):
    """A document goes deeper than so many tables and lists in one another; `line` is where, if that is said."""

    def __init__(self, deepest: int, line: int | None = None) -> None:
        super().__init__(f"it goes deeper than {deepest} tables and lists in one another")
        self.line = line


class Mistake(Struct, frozen=True):
    """One thing that is wrong with a document, told as `file:line: key: what`; `key` is empty where
    it is all of it."""

    source: str
    line: int | None
    key: str
    what: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return ": ".join(filter(None, (where, self.key, self.what)))


class BadDocument(WorldError):
    """A document with mistakes in it."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        count = f"{len(mistakes)} mistakes:\n  " if len(mistakes) > 1 else ""
        super().__init__(count + "\n  ".join(map(str, mistakes)))
