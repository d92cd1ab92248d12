"""Every memory that a plan can name keeps the contract of a memory: all of it."""

import pytest
from memories_here import EACH

from whoknew.agents.memories.memory import MemoryEntry
from whoknew.engine.registry import MEMORIES
from whoknew.testing.memories import *

SET = {"recall by vectors": ("recall", {"model": "offline:", "k": 3})}


@pytest.fixture(params=[*EACH, *SET])
def memory(request: pytest.FixtureRequest) -> MemoryEntry:
    return MEMORIES.made(*SET.get(request.param, (request.param, {})))
