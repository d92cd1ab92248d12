"""The port to an importer, and what every one gives: worlds as drafts, ready to append, and what
could not be kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from whoknew.eventlog import Draft
from whoknew.worlds.question import Question


class Remark(Struct, frozen=True):
    """What could not be kept as it is, or was strange: of which record, and why."""

    source: str
    record: str
    what: str

    def __str__(self) -> str:
        return f"{self.source}: {self.record}: {self.what}"


class ImportedWorld(Struct, frozen=True):
    """A world to append whole, and the questions that its source has on it."""

    name: str
    drafts: tuple[Draft, ...]
    remarks: tuple[Remark, ...] = ()
    questions: tuple[Question, ...] = ()


class ImporterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """How worlds from elsewhere are brought in: `whoknew import` finds an entry by its name. Its
    fields are its settings, the first line of its docstring its line of help."""

    def read(self, path: Path) -> Iterable[ImportedWorld | Remark]:
        """The worlds of a file or a folder; a remark that is of none of them may stand between. A
        BadSource says what cannot be read."""
        raise NotImplementedError


def world_named(form: str, stem: str) -> str:
    """What the world of a file is called."""
    slug = re.sub(r"[^\w]+", "-", stem.casefold())[:100].strip("-")
    return slug if slug.startswith(f"{form}-") else f"{form}-{slug or 'story'}"
