"""A model of two layers that was hardly trained, made once for all tests of a run, where torch is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import lent


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lent(tmp_path_factory, "untrained", steps=40)
