"""What `whoknew import` says of what it cannot bring in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from command_runner import ENVIRONMENT, refused


@pytest.mark.parametrize(
    "kind", ["play", "storyline", "locomo", "longmemeval", "clonemem", "bigtom"]
)
def test_what_cannot_be_imported_is_told(tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff\xfe\x00")
    for path in (bad, tmp_path / "none", tmp_path):
        message = refused("import", kind, path, "--log", tmp_path / "x.db")
        assert str(path) in message
    assert not (tmp_path / "x.db").exists()


DEEP = "[" * 200_000
NESTED = {
    "sotopia": f'{{"messages": {DEEP}',
    "locomo": f'[{{"sample_id": "c", "conversation": {{"x": {DEEP}',
    "longmemeval": f'[{{"x": {DEEP}',
    "storyline": f'{{"x": [{{"y": {DEEP}',
    "timechara": f'[{{"x": {DEEP}',
}


@pytest.mark.parametrize("kind", NESTED)
def test_what_goes_too_deep_is_told(tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(NESTED[kind])
    message = refused("import", kind, bad, "--log", tmp_path / "x.db")
    assert f"{bad}" in message and "it goes too deep, lists and objects in one another" in message
    assert not (tmp_path / "x.db").exists()


def test_a_number_of_thousands_of_digits_is_told(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(f'{{"messages": {"9" * 6_000}}}')
    message = refused("import", "sotopia", bad, "--log", tmp_path / "x.db")
    assert f"{bad}" in message and "a number in it has thousands of digits" in message


POWERS = "-dac_override,-dac_read_search"


@pytest.mark.skipif(not which("setpriv"), reason="takes the power to read all from root")
def test_a_folder_that_may_not_be_entered_is_told(tmp_path: Path) -> None:
    """It ended in Python's own words, and was said to hold no plays."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    taking = ("setpriv", "--inh-caps", POWERS, "--bounding-set", POWERS) if not os.geteuid() else ()
    for words, what in (
        (("ls", "--log", closed / "a.db"), "may not be entered by you"),
        (("import", "sotopia", closed / "a.json"), "cannot be read: Permission denied"),
        (("import", "play", closed), "cannot be read: Permission denied"),
        (("import", "locomo", closed / "a.json"), "cannot be read: Permission denied"),
    ):
        command = [*taking, sys.executable, "-m", "whoknew.cli", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
        assert done.returncode == 1 and what in done.stderr, done


HALF = r"\ud83d"
HALVES = {
    "locomo": f'[{{"sample_id": "c", "conversation": {{}}, "qa": ["{HALF}"]}}]',
    "longmemeval": f'["{HALF}"]',
    "storyline": f'{{"x": [{{"action": "{HALF}"}}]}}',
    "timechara": f'["{HALF}"]',
}


@pytest.mark.parametrize("kind", HALVES)
def test_half_of_a_character_is_told(tmp_path: Path, kind: str) -> None:
    """As a question of LoCoMo's it ended in Python's own words."""
    bad = tmp_path / "bad.json"
    bad.write_text(HALVES[kind])
    message = refused("import", kind, bad, "--log", tmp_path / "x.db")
    assert f"{bad}" in message and "holds half of a character, U+D83D: leave it out" in message
    assert not (tmp_path / "x.db").exists()


TWICE = {
    "sotopia": '{"messages": [], "messages": [1]}',
    "locomo": '[{"sample_id": "c", "conversation": {"session_1": [], "session_1": []}}]',
    "storyline": '{"One": [], "One": []}',
    "timechara": '{"series": "a", "series": "b"}',
}


@pytest.mark.parametrize("kind", TWICE)
def test_a_key_that_stands_there_twice_is_told_and_nothing_of_it_lost(
    tmp_path: Path, kind: str
) -> None:
    """Of both only the last was brought in, without a word."""
    bad = tmp_path / "bad.json"
    bad.write_text(TWICE[kind])
    message = refused("import", kind, bad, "--log", tmp_path / "x.db")
    assert f"{bad}" in message and "stands there twice: leave one out" in message
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("A story.", "row 1: has 1 column, expected were 17 or more"),
        ("x" * 140_000, "row 1: cannot be divided into columns: field larger than field limit"),
        ("A b. C d. E f. G h. I j." + ";" * 20, "row 1: its column 'aware of event' is empty"),
    ],
)
def test_a_row_that_is_no_story_of_bigtom_is_told(tmp_path: Path, row: str, what: str) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text(row)
    message = refused("import", "bigtom", bad, "--log", tmp_path / "x.db")
    assert f"{bad}, {what}" in message


def test_a_play_in_another_form_is_told_which_is_expected(tmp_path: Path) -> None:
    bad = tmp_path / "play.txt"
    for text in ("ACT I. Enter a ghost.", "<TEI></TEI>"):
        bad.write_text(text)
        message = refused("import", "play", bad, "--log", tmp_path / "x.db")
        assert "expected was a play in Jon Bosak's markup, a <PLAY> with ACT, SCENE" in message
