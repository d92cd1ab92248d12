"""Real data beside the project: tests read it from there, and skip where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"


def data(*names: str) -> Path:
    path = DATA.joinpath(*names)
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path
