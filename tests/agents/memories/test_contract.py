"""Every memory that a plan can name keeps the contract of a memory: all of it."""

import pytest

from whoknew.agents.memories.memory import MemoryEntry
from whoknew.engine.registry import MEMORIES
from whoknew.testing.memories import *


@pytest.fixture(params=MEMORIES.ours)
def memory(request: pytest.FixtureRequest) -> MemoryEntry:
    return MEMORIES.made(request.param, {})
