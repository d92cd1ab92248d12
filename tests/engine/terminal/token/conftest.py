"""A log of nights in a diner, for whose people tokens are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from diner_world import nights


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return nights(tmp_path)
