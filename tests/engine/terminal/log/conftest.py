"""A log of a harbour, where it rains, and of a fork of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import harbour


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return harbour(tmp_path / "log.db")
