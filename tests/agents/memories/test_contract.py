"""Every memory that a plan can name keeps the contract of a memory: all of it."""

import pytest
from memories_here import EACH

from whoknew.agents.memories.memory import MemoryEntry
from whoknew.engine.registry import MEMORIES
from whoknew.testing.memories import *

SET = {
    **{
        f"{name} by vectors": (name, {"embedder": "offline:", "k": 3})
        for name in ("recall", "flat", "facts")
    },
    "bookmarks behind a profile": ("bookmarks", {"profile": True, "most": 2}),
}


@pytest.fixture(params=[*EACH, *SET])
def memory(request: pytest.FixtureRequest) -> MemoryEntry:
    return MEMORIES.made(*SET.get(request.param, (request.param, {})))
