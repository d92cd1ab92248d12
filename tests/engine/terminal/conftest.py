"""A play and a diner that the commands look at, and never change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from diner_world import nights
from lamp_room import lamp_room


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lamp_room(tmp_path_factory.mktemp("play"))


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def unchanged(play: Path) -> Iterator[Path]:
    """Looking never writes: every byte of the log is as it was."""
    before = digest(play)
    yield play
    assert digest(play) == before


@pytest.fixture
def diner(tmp_path: Path) -> Iterator[Path]:
    """Ten nights in the diner, as they are after looking at them."""
    file = nights(tmp_path)
    before = digest(file)
    yield file
    assert digest(file) == before
