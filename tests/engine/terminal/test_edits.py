"""`whoknew edits`: edits of a model in words, merged, taken back."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import numpy
import pytest
from command_runner import refused, run

from whoknew.agents.weights.artefacts import put
from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.codebook_files import EditedRow, written


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """Two folders of an edit each: of Ann, and of Bo."""
    for place, who in enumerate(("Ann", "Bo")):
        codebook, key = Codebook(0.5), numpy.array([3.0 * place])
        codebook.edit(Edit(1, 7, key), key)
        row = EditedRow(
            number=1,
            who=who,
            asked="Hal keeps\x1b[2J it in",
            reply="the jar.",
            episode=2,
            place=31,
            at=datetime(1599, 6, 1, 21),
        )
        put(tmp_path / who, written(codebook, [row], 0))
    return tmp_path


def test_each_edit_is_listed_with_its_episode_its_event_and_its_time(folders: Path) -> None:
    told = run("edits", folders / "Ann").stdout
    assert told.splitlines() == [
        f"{folders / 'Ann'}: 1 edit of Ann, up to E2",
        r"    1  E2 [31] 1599-06-01 21:00  Ann: Hal keeps\x1b[2J it in -> the jar.",
    ]
    assert run("edits", folders).stdout.splitlines() == [
        f"{folders / who}: 1 edit of {who}, up to E2" for who in ("Ann", "Bo")
    ]


def test_two_are_merged_and_one_edit_is_taken_back_into_new_folders(folders: Path) -> None:
    both, less = folders / "both", folders / "less"
    told = run("edits", folders / "Ann", "--merge", folders / "Bo", "--into", both).stdout
    assert "2 edits of Ann and Bo, up to E2" in told
    run("edits", both, "--take-back", "1", "--into", less)
    (found,) = json.loads(run("edits", less, "--json").stdout)
    assert found["folder"] == str(less)
    assert [(one["number"], one["who"], one["place"]) for one in found["edits"]] == [(2, "Bo", 31)]


def test_what_cannot_be_done_says_what_to_give(folders: Path) -> None:
    ann, new = folders / "Ann", folders / "new"
    assert "name the new folder: --into NEW" in run("edits", ann, "--take-back", "1", rc=2).stderr
    assert "--into goes with one of" in run("edits", ann, "--into", new, rc=2).stderr
    assert "has no edit 9" in refused("edits", ann, "--take-back", "9", "--into", new)
    assert "there is no folder" in refused("edits", folders / "away")
