"""Files that are read whole: what never ends, or is too large, is refused wherever a file is named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from whoknew.worlds import shelf
from whoknew.worlds.errors import WorldError
from whoknew.worlds.importers import bigtom, lifestate, locomo, play, storyline, timechara
from whoknew.worlds.importers.amendments import amended
from whoknew.worlds.importers.chapters import owned
from whoknew.worlds.importers.sotopia import records
from whoknew.worlds.whole_file import whole, whole_text

READERS: tuple[Callable[[Path], object], ...] = (
    shelf.load,
    lambda path: list(bigtom.worlds_of(path)),
    lambda path: list(locomo.worlds_of(path)),
    lambda path: list(storyline.worlds_of(path)),
    lambda path: list(timechara.worlds_of(path)),
    lambda path: list(lifestate.worlds_of(path)),
    lambda path: list(play.worlds_of(path)),
    records.read,
    lambda path: amended([], path),
)


@pytest.mark.parametrize("read", READERS)
def test_what_might_never_end_is_refused(read: Callable[[Path], object], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(WorldError, match="might never end"):
            read(path)


@pytest.mark.parametrize("read", READERS)
def test_links_that_lead_to_each_other_are_told_as_that(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    """A file was said not to be there, and it is."""
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(WorldError, match="symbolic links"):
        read(link)


def test_a_chapter_that_might_never_end_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "1-2.txt")
    with pytest.raises(WorldError, match="might never end"):
        owned(tmp_path, "s", 2, alone=True)


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "sparse"
    file.touch()
    os.truncate(file, 2**40)
    with pytest.raises(OSError, match="larger than"):
        whole(file, 1000)
    (tmp_path / "1-2.txt").symlink_to(file)
    with pytest.raises(WorldError, match="larger than"):
        owned(tmp_path, "s", 2, alone=True)


def test_lines_end_alike_wherever_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"a\r\nb\rc\n")
    assert whole_text(file) == file.read_text("utf-8") == "a\nb\nc\n"


def test_the_mark_that_some_editors_put_before_a_text_is_no_part_of_it(tmp_path: Path) -> None:
    """It stood in the first words of a story, or made JSON of it that is none."""
    file = tmp_path / "marked"
    file.write_text("a\n", "utf-8-sig")
    assert whole_text(file) == "a\n"
