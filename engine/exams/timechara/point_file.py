"""Moments of characters in a file, by chapters: as the authors' table of 219 has them, which is not
everywhere in the order of the story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.exams.timechara.chapters import Chapters
from whoknew.engine.exams.timechara.points import GivenPoints
from whoknew.worlds import shelf
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.timechara import chapter_of


class ListedPoint(Struct, frozen=True):
    """The end of a chapter, "4-23", under a label; or of one of a volume's books, "1-2-5"."""

    label: str
    at: str


PointFile = Mapping[str, Mapping[str, Sequence[ListedPoint]]]
"""Of each series, which is a world of that name, those of each character."""


def read(path: Path) -> PointFile:
    """The moments in a file. To be called on a thread."""
    try:
        found = msgspec.json.decode(
            shelf.text_of(path), type=dict[str, dict[str, tuple[ListedPoint, ...]]]
        )
    except msgspec.DecodeError as error:
        raise BadSource(f"{path} holds no moments by chapters: {error}") from None
    for points in (some for series in found.values() for some in series.values()):
        for one in points:
            chapter_of(one.at)
    return found


def of_world(file: PointFile, world: str, chapters: Chapters) -> GivenPoints:
    """Those of a world, each at the end of its chapter; where the world lacks that, of the last one before
    it. What lies before the first chapter is left out."""
    return GivenPoints(
        own={
            who: [
                (one.label, f"E{episode}")
                for one in points
                if (episode := chapters.episode(chapter_of(one.at))) is not None
            ]
            for who, points in file.get(world, {}).items()
        }
    )
