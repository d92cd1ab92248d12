"""`whoknew mark`: a moment gets a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, harbour, refused, run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return harbour(tmp_path / "log.db")


def test_a_name_is_a_cursor_from_then_on(file: Path) -> None:
    shown = run("mark", "harbour", "the rain", "--at", "#3", "--log", file).stdout
    assert '"the rain" is the moment at #3 of harbour' in shown
    assert f"whoknew replay harbour --at 'the rain' --log {file}" in shown
    assert answer("replay", "harbour", "--at", "the rain", "--log", file)["cursor"] == 3


def test_a_secret_is_followed_by_its_name(file: Path) -> None:
    shown = run("mark", "harbour", "rain", "--secret", "--log", file).stdout
    assert f"whoknew knows harbour --log {file}" in shown
    assert "rain" in run("knows", "harbour", "--log", file).stdout


def test_a_name_is_given_once(file: Path) -> None:
    marked = answer("mark", "harbour", "rain", "--at", "#3", "--log", file)
    assert (marked["world"], marked["name"], marked["cursor"]) == ("harbour", "rain", 3)
    again = refused("mark", "harbour", "rain", "--log", file)
    assert '"rain" marks #3' in again
