"""A model of two layers for all tests of a run: trained once, where torch is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import lent


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lent(tmp_path_factory, "tiny", steps=200)
