"""A model of two layers that was hardly trained, made once for all tests of a process, where torch is there."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("torch", "transformers", "peft"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'whoknew[train]'")
    from tiny_models import made

    return made(tmp_path_factory.mktemp("untrained") / "model", steps=40)
