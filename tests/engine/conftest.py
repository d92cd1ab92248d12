"""What tests of the engine stand on: leases that are kept, and a model of two layers that was hardly trained,
made once for all tests of a run, where torch is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import lent
from waiting import PATIENCE

from whoknew.engine.running import free_chains


@pytest.fixture
def kept_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked often what is free, and no lease runs out, however slow the machine is."""
    monkeypatch.setattr(free_chains, "HEARTBEAT", 1.0)
    monkeypatch.setattr(free_chains, "LASTS", PATIENCE)


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lent(tmp_path_factory, "untrained", steps=40)
