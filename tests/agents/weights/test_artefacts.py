"""Artefacts lie in their folder whole, once, and as they were; or not at all."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from waiting import PATIENCE

from whoknew.agents.errors import Rejected
from whoknew.agents.weights.artefacts import BASE, Artefacts, base_of, put

FILES = {"weights": b"1234", "settings": b"{}"}


def test_what_a_full_disk_has_no_room_for_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Artefacts(tmp_path / "kept")

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(Rejected, match=r"No space left on device\. Make room"):
            kept.keep(FILES)
    assert (kept.digests(), kept.unfinished()) == ([], [])
    assert kept.path(kept.keep(FILES)).is_dir()


def test_where_a_file_stands_in_the_way_of_the_folder_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    with pytest.raises(Rejected, match="could not be written"):
        Artefacts(tmp_path / "kept").keep(FILES)


def test_of_many_who_train_the_same_one_keeps_it_and_all_find_it(tmp_path: Path) -> None:
    many = 8
    together = Barrier(many)

    def keep(_: int) -> str:
        together.wait(PATIENCE)
        return Artefacts(tmp_path).keep(FILES)

    with ThreadPoolExecutor(many) as pool:
        digests = set(pool.map(keep, range(many)))
    kept = Artefacts(tmp_path)
    assert kept.digests() == sorted(digests)
    assert len(digests) == 1
    assert kept.unfinished() == []
    assert kept.path(digests.pop()).is_dir()


@pytest.mark.parametrize("damage", ["changed", "gone", "more"])
def test_one_that_is_no_longer_what_it_was_is_refused(damage: str, tmp_path: Path) -> None:
    kept = Artefacts(tmp_path)
    path = tmp_path / (digest := kept.keep(FILES))
    if damage == "gone":
        (path / "weights").unlink()
    else:
        (path / ("weights" if damage == "changed" else "other")).write_bytes(b"1235")
    with pytest.raises(Rejected, match="was changed"):
        kept.path(digest)


@pytest.mark.parametrize("name", ["../elsewhere", "..", ".", "", "elsewhere", "/"])
def test_a_name_that_is_no_digest_leads_nowhere(name: str, tmp_path: Path) -> None:
    """As a log from elsewhere may have it: what lies there is not even read."""
    put(tmp_path / "elsewhere", FILES)
    kept = Artefacts(tmp_path / "kept")
    kept.keep(FILES)
    with pytest.raises(Rejected, match="lies no longer"):
        kept.path(name)


def test_what_somebody_put_beside_them_is_left_and_a_link_leads_to_no_loss(tmp_path: Path) -> None:
    kept = Artefacts(tmp_path / "kept")
    kept.keep(FILES)
    put(kept.folder / "mine", FILES)
    put(tmp_path / "elsewhere", FILES)
    (kept.folder / ("0" * 32)).symlink_to(tmp_path / "elsewhere")
    (kept.folder / "mine" / "gone").symlink_to(tmp_path / "never")
    (kept.folder / kept.keep(FILES) / "gone").symlink_to(tmp_path / "never")
    assert "mine" not in kept.digests()
    assert all(map(kept.size, kept.digests()))
    assert len(kept.prune(())) == 2
    assert kept.digests() == []
    assert (kept.folder / "mine").is_dir()
    assert (tmp_path / "elsewhere" / "weights").is_file()


@pytest.mark.parametrize("odd", ["bytes", "folder"])
def test_what_it_was_trained_on_may_be_anything_where_it_comes_from_elsewhere(
    odd: str, tmp_path: Path
) -> None:
    if odd == "folder":
        (tmp_path / BASE).mkdir()
    else:
        (tmp_path / BASE).write_bytes(b"\xff\xfe")
    assert base_of(tmp_path) == ("" if odd == "folder" else "\ufffd\ufffd")
