"""Edits by hand, without a model: listed, merged, taken back, and folders that are none."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy
import pytest
from hostile_pickles import Opens
from msgspec.structs import replace

from whoknew.agents.errors import BadEdits, Rejected
from whoknew.agents.weights.artefacts import BASE, Artefacts, put
from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.codebook_files import EditedRow, read, written
from whoknew.agents.weights.edits import edits_in, merge, take_back

WORDS = ("jar", "box", "well", "barn", "boat")


def row(number: int, asked: str, reply: str) -> EditedRow:
    return EditedRow(
        number=number,
        who="Ann",
        asked=asked,
        reply=reply,
        episode=1,
        place=number,
        at=datetime(2000, 1, 1, 12),
    )


def files(*edits: tuple[str, str], layer: int = 0, base: str = "0" * 32) -> dict[str, bytes]:
    """Each prompt is a letter, whose key is the place of that in the alphabet."""
    codebook, rows = Codebook(0.25), list[EditedRow]()
    for number, (asked, reply) in enumerate(edits, 1):
        key = numpy.array([float(ord(asked)), 0.0])
        codebook.edit(Edit(number, WORDS.index(reply), key), key)
        rows.append(row(number, asked, reply))
    return {**written(codebook, rows, layer), BASE: base.encode()}


def folder(path: Path, *edits: tuple[str, str], layer: int = 0, base: str = "0" * 32) -> Path:
    put(path, files(*edits, layer=layer, base=base))
    return path


def said(path: Path) -> dict[str, str]:
    """What a codebook answers to the letters a to e."""
    codebook, _ = read(path)
    held = {key: codebook.holding(numpy.array([float(ord(key)), 0.0])) for key in "abcde"}
    return {key: WORDS[codebook[at].label] for key, at in held.items() if at is not None}


def test_edits_are_listed_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("b", "jar"), ("a", "box"))
    (found,) = edits_in(one)
    assert found.folder == str(one)
    assert found.edits == (row(1, "b", "jar"), row(2, "a", "box"))
    other = folder(tmp_path / "two", ("c", "well"))
    assert [found.folder for found in edits_in(tmp_path)] == [str(one), str(other)]


def test_folders_are_listed_life_by_life_in_the_order_of_their_episodes(tmp_path: Path) -> None:
    for name, who, episode in (("a", "Bo", 2), ("b", "Ann", 3), ("c", "Bo", 1), ("d", "Ann", 1)):
        codebook, key = Codebook(0.25), numpy.array([1.0])
        codebook.edit(Edit(1, 0, key), key)
        edited = replace(row(1, "a", "jar"), who=who, episode=episode)
        put(tmp_path / name, written(codebook, [edited], 0))
    assert [Path(one.folder).name for one in edits_in(tmp_path)] == ["d", "b", "c", "a"]


def test_without_an_edit_its_prompt_is_nobody_s_and_all_others_hold(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("a", "jar"), ("b", "box"), ("c", "jar"))
    left = take_back(one, 2, tmp_path / "less")
    assert [edit.number for edit in left.edits] == [1, 3]
    assert said(tmp_path / "less") == {"a": "jar", "c": "jar"}
    assert said(one) == {"a": "jar", "b": "box", "c": "jar"}
    take_back(tmp_path / "less", 1, tmp_path / "last")
    take_back(tmp_path / "last", 3, tmp_path / "none")
    assert said(tmp_path / "none") == {}
    with pytest.raises(BadEdits, match="has no edit 1: it has none"):
        take_back(tmp_path / "none", 1, tmp_path / "never")
    with pytest.raises(BadEdits, match="has no edit 4: they are numbered 1 to 3"):
        take_back(one, 4, tmp_path / "never")


def test_of_two_folders_all_edits_hold_and_of_the_same_prompt_the_other_s(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("a", "jar"), ("b", "box"))
    other = folder(tmp_path / "other", ("b", "well"), ("c", "barn"))
    both = merge(one, other, tmp_path / "both")
    assert [(edit.number, edit.asked, edit.reply) for edit in both.edits] == [
        (1, "a", "jar"),
        (3, "b", "well"),
        (4, "c", "barn"),
    ]
    assert said(tmp_path / "both") == {"a": "jar", "b": "well", "c": "barn"}
    assert edits_in(tmp_path / "both") == [both]
    take_back(tmp_path / "both", 4, tmp_path / "less")
    assert said(tmp_path / "less") == {"a": "jar", "b": "well"}


def test_edits_of_another_model_or_layer_are_not_merged(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("a", "jar"))
    for name, changed in (("model", {"base": "1" * 32}), ("layer", {"layer": 1})):
        other = folder(tmp_path / name, ("b", "box"), **changed)  # type: ignore[arg-type]
        with pytest.raises(BadEdits, match=f"they are of another {name}"):
            merge(one, other, tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_nothing_is_written_over_and_what_is_no_folder_of_edits_is_told(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("a", "jar"), ("b", "box"))
    with pytest.raises(BadEdits, match="exists already"):
        take_back(one, 1, one)
    with pytest.raises(BadEdits, match="there is no folder"):
        take_back(one, 1, tmp_path / "away" / "new")
    with pytest.raises(BadEdits, match="there is no folder"):
        edits_in(tmp_path / "away")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadEdits, match="holds no edits"):
        edits_in(tmp_path / "empty")


@pytest.mark.parametrize("name", ["codebook.json", "keys.npy", "values.npy", "edits.jsonl"])
def test_a_damaged_file_of_edits_is_told(name: str, tmp_path: Path) -> None:
    one = folder(tmp_path / "one", ("a", "jar"), ("b", "box"))
    whole = (one / name).read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"\xff" * len(whole)):
        (one / name).write_bytes(damaged)
        with pytest.raises(BadEdits, match="cannot be read"):
            edits_in(one)
    (one / name).unlink()
    with pytest.raises(BadEdits):
        edits_in(one)


def test_vectors_that_are_none_are_told_and_no_pickle_in_them_is_opened(tmp_path: Path) -> None:
    one, opened = folder(tmp_path / "one", ("a", "jar"), ("b", "box")), tmp_path / "opened"
    for odd in (
        numpy.array([Opens(opened), Opens(opened)], dtype=object),
        numpy.zeros((2, 3)),
        numpy.full((2, 2), numpy.nan),
        numpy.zeros(2),
    ):
        numpy.save(one / "keys.npy", odd, allow_pickle=True)
        with pytest.raises(BadEdits, match="cannot be read"):
            edits_in(one)
    assert not opened.exists()


def test_one_that_a_log_names_by_its_digest_is_held_against_it(tmp_path: Path) -> None:
    kept = Artefacts(tmp_path)
    one = tmp_path / kept.keep(files(("a", "jar")))
    assert len(edits_in(one)[0].edits) == 1
    (one / "layer").write_text("1")
    with pytest.raises(Rejected, match="was changed"):
        edits_in(one)
