"""Stage plays in Jon Bosak's markup: who heard which words follows from the stage directions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from whoknew.eventlog.nearest import nearest
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry
from whoknew.worlds.importers.play.world import world_of
from whoknew.worlds.importers.records import files_of

__all__ = ["PlayEntry", "bundled", "world_of", "worlds_of"]


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each play: a file, those in a folder, or one that comes with Whoknew."""
    ours = bundled()
    there = os.path.lexists(path)
    if not there and str(path) in ours:
        path = ours[str(path)]
    elif not there and not path.suffix:
        raise BadSource(
            f"{path} is not there, and no play that comes with Whoknew has this name: "
            f"{nearest(str(path), ours)}"
        )
    yield from map(world_of, files_of(path, "*.xml"))


def bundled() -> dict[str, Path]:
    """The plays that come with Whoknew, by name."""
    library = Path(str(files("whoknew.worlds.library")))
    return {one.stem: one for one in sorted(library.glob("*.xml"))}


class PlayEntry(ImporterEntry, frozen=True):
    """stage plays in Jon Bosak's markup"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
