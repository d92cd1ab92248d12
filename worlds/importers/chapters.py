"""The chapters of novels that one owns, in files of text: which chapter each is, and the passages of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from msgspec import Struct

from whoknew.eventlog.words import sentences
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.records import text_of

Chapter = tuple[int, ...]
"""Book and chapter; or volume, book and chapter."""

PASSAGE, OVERLAP = 1000, 200
"""Letters of a passage at most, and how many of them stand in the one before as well: the numbers of
TimeChara's authors."""

SHOWN = 10
"""So many chapters that are missing are named."""

LARGEST = 2**24
"""Bytes of a chapter."""

_NUMBER = re.compile(r"\d{1,6}")
_WITHOUT_END = re.compile(rf"\S{{{PASSAGE}}}")


class OwnedChapters(Struct, frozen=True):
    """The texts of a series, by chapter; and what is strange about their files."""

    texts: Mapping[Chapter, str]
    remarks: tuple[Remark, ...] = ()


def owned(folder: Path, series: str, parts: int, *, alone: bool) -> OwnedChapters:
    """The texts in the folder of a series, which is `folder` itself where that has none of its name and the
    series stands `alone`. A chapter has so many `parts`: the first numbers in the path of a file."""
    place = _place(folder, series, alone=alone)
    texts: dict[Chapter, str] = {}
    files: dict[Chapter, Path] = {}
    remarks: list[Remark] = []
    for file in sorted(place.rglob("*.txt")) if place else ():
        name = file.relative_to(place or folder)
        numbers = [int(one) for one in _NUMBER.findall(str(name.with_suffix("")))]
        chapter = tuple(numbers[:parts])
        if len(chapter) < parts:
            what = f"left out: its name holds no chapter, which has {parts} numbers"
            remarks.append(Remark(str(place), str(name), what))
            continue
        if chapter in files:
            raise BadSource(f"{file} and {files[chapter]} are both chapter {named(chapter)}")
        files[chapter] = file
        if text := text_of(file, LARGEST).strip():
            texts[chapter] = text
    return OwnedChapters(texts, tuple(remarks))


def _place(folder: Path, series: str, *, alone: bool) -> Path | None:
    if not folder.is_dir():
        raise BadSource(f"{folder} is no folder of chapters")
    own = folder / series
    if Path(series).name == series and own.is_dir():
        return own
    return folder if alone else None


def named(chapter: Chapter) -> str:
    return "-".join(map(str, chapter))


def listed(chapters: list[Chapter]) -> str:
    """The first of them, by name."""
    told = ", ".join(map(named, chapters[:SHOWN]))
    return f"{told} and {len(chapters) - SHOWN} more" if len(chapters) > SHOWN else told


def passages(text: str) -> Iterator[str]:
    """A text in pieces that end with sentences where they can: each begins with the end of the one
    before."""
    held: list[str] = []
    size = 0
    for sentence in sentences(text):
        parted = _WITHOUT_END.sub(
            r"\g<0> ", sentence
        )  # `wrap` takes the square of a long word's length
        for piece in wrap(parted, PASSAGE, break_on_hyphens=False):
            if size + len(piece) + 1 > PASSAGE and held:
                yield " ".join(held)
                held = _end(held, PASSAGE - len(piece) - 1)
                size = sum(len(one) + 1 for one in held)
            held.append(piece)
            size += len(piece) + 1
    if held:
        yield " ".join(held)


def _end(held: list[str], room: int) -> list[str]:
    """The last sentences of a passage, which the next one begins with."""
    room, kept = min(OVERLAP, room), list[str]()
    for one in reversed(held):
        room -= len(one) + 1
        if room < 0:
            break
        kept.insert(0, one)
    return kept
