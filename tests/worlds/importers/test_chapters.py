"""Chapters that one owns: which file is which, what is missing, and their passages."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timechara_files import SERIES, written, written_chapters

from whoknew.eventlog.kinds import EpisodeOpened, Narrated, Printed
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.chapters import OVERLAP, PASSAGE, owned, passages
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.timechara import worlds_of


def only(path: Path, text: Path) -> ImportedWorld:
    (world,) = worlds_of(path, text)
    return world


def test_passages_stand_in_their_chapters_and_nobody_witnesses_them(tmp_path: Path) -> None:
    world = only(written(tmp_path / "a.json"), written_chapters(tmp_path / "text"))
    names = {
        one.episode: one.body.name for one in world.drafts if isinstance(one.body, EpisodeOpened)
    }
    printed = [one for one in world.drafts if isinstance(one.body, Printed)]
    assert {names[one.episode] for one in printed} == set(names.values())
    assert not any(one.witnesses for one in printed)
    assert all(f"bell {names[one.episode].split()[1]} rang" in one.body.words for one in printed)
    assert not world.remarks


def test_no_label_stands_in_the_world(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json")
    world = only(path, written_chapters(tmp_path / "text"))
    told = " ".join(one.body.words for one in world.drafts)
    assert "Light it" in path.read_text("utf-8") and "Light it" not in told
    assert sum(isinstance(one.body, Narrated) for one in world.drafts) == 8


@pytest.mark.parametrize(
    "name",
    ["1-2.txt", "Book1-chapter2.txt", "book_1/chapter_2.txt", "01/02 Of 9 lamps.txt"],
)
def test_a_chapter_is_known_by_the_first_numbers_of_its_path(name: str, tmp_path: Path) -> None:
    file = tmp_path / SERIES / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("A bell rang.", "utf-8")
    found = owned(tmp_path, SERIES, 2, alone=True)
    assert (found.texts, found.remarks) == ({(1, 2): "A bell rang."}, ())


def test_a_series_alone_needs_no_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "1-2.txt").write_text("\ufeffA bell rang.\n", "utf-8")
    assert owned(tmp_path, SERIES, 2, alone=True).texts == {(1, 2): "A bell rang."}
    assert owned(tmp_path, SERIES, 2, alone=False).texts == {}


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    text = written_chapters(tmp_path / "text")
    (text / SERIES / "book_2" / "chapter_3.txt").unlink()
    (text / SERIES / "book_1" / "chapter_4.txt").write_text(" \n", "utf-8")
    (text / SERIES / "foreword.txt").write_text("To whom it may concern.", "utf-8")
    strange, missing = map(str, only(written(tmp_path / "a.json"), text).remarks)
    assert "foreword.txt" in strange and "no chapter" in strange
    assert "2 of 8 chapters" in missing and "1-4, 2-3" in missing


def test_a_chapter_that_nobody_asks_about_is_a_part_of_the_story(tmp_path: Path) -> None:
    text = written_chapters(tmp_path / "text")
    (text / SERIES / "book_1" / "chapter_5.txt").write_text("The bell was mended.", "utf-8")
    world = only(written(tmp_path / "a.json"), text)
    names = [one.body.name for one in world.drafts if isinstance(one.body, EpisodeOpened)]
    assert names.index("chapter 1-5") == 4
    asked = next(
        one for one in world.questions if one.labels["point"] == "end of chapter 4 of book 1"
    )
    assert asked.at == "E4"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (["foreword.txt"], "holds no chapter: call their files such as the_lanterns/1-1.txt"),
        (["1-2.txt", "book1/2.txt"], "are both chapter 1-2"),
    ],
)
def test_a_folder_that_is_none_of_chapters_is_refused(
    files: list[str], why: str, tmp_path: Path
) -> None:
    for name in files:
        file = tmp_path / "text" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("A bell rang.", "utf-8")
    with pytest.raises(BadSource, match=why):
        only(written(tmp_path / "a.json"), tmp_path / "text")
    with pytest.raises(BadSource, match="is no folder"):
        only(tmp_path / "a.json", tmp_path / "nowhere")


@given(st.lists(st.text("ab .!\n", min_size=1, max_size=1500), max_size=8))
def test_passages_hold_all_of_a_text_and_none_is_too_long(parts: list[str]) -> None:
    text = "".join(parts)
    found = list(passages(text))
    assert all(0 < len(one) <= PASSAGE for one in found)
    if all(len(word) <= PASSAGE for word in text.split()):
        assert {word for one in found for word in one.split()} == {*text.split()}


def test_each_passage_begins_with_the_end_of_the_one_before() -> None:
    text = " ".join(f"The bell rang for the {number} time that night." for number in range(100))
    found = list(passages(text))
    assert len(found) > 3
    for before, after in pairwise(found):
        shared = next(n for n in range(OVERLAP, 0, -1) if after.startswith(before[-n:]))
        assert shared > 100


def test_a_chapter_without_a_blank_is_parted_too() -> None:
    found = list(passages("x" * 8_000_000))
    assert max(map(len, found)) <= PASSAGE
    assert sum(map(len, found)) >= 8_000_000
