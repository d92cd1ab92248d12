"""Storylines in and out, as Bookmarks reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry
from whoknew.worlds.importers.storyline.form import CHARACTERS, FORMAT, Cast, Step
from whoknew.worlds.importers.storyline.world import (
    StorySource,
    casts_in,
    drafts_of,
    source_of,
    world_of,
    worlds_of,
)
from whoknew.worlds.importers.storyline.writing import MAJOR, WrittenStory, story_of

__all__ = [
    "CHARACTERS",
    "FORMAT",
    "MAJOR",
    "Cast",
    "Step",
    "StorySource",
    "StorylineEntry",
    "WrittenStory",
    "casts_in",
    "drafts_of",
    "source_of",
    "story_of",
    "world_of",
    "worlds_of",
]


class StorylineEntry(ImporterEntry, frozen=True):
    """storylines, as Bookmarks reads them"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
