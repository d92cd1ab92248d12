"""LIFESTATE-BENCH in and out: episodes, role cards, and under each episode questions with their
references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, world_named
from whoknew.worlds.importers.lifestate.form import FORMAT, LifestateForm
from whoknew.worlds.importers.lifestate.reading import read
from whoknew.worlds.importers.lifestate.world import drafts_of, questions_of
from whoknew.worlds.importers.lifestate.writing import form_of

__all__ = ["FORMAT", "LifestateEntry", "LifestateForm", "form_of", "read", "worlds_of"]


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """The world of a file, or of the files of a folder together."""
    form, remarks = read(path)
    world = world_named(FORMAT, form.title or path.stem)
    questions = tuple(questions_of(form, world))
    drafts = tuple(drafts_of(form, path.name))
    yield ImportedWorld(world, drafts, tuple(remarks), questions)


class LifestateEntry(ImporterEntry, frozen=True):
    """the episodes, role cards and questions of LIFESTATE-BENCH"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
