"""Every memory that a plan can name keeps the contract of a memory: all of it."""

from collections.abc import Callable

import pytest
from contracts.memories import *

from whoknew.agents.memories.memory import Memory
from whoknew.engine.plan.plan import Seat
from whoknew.engine.registry import MEMORIES
from whoknew.engine.running.models import memory_of


@pytest.fixture(params=MEMORIES)
def memory(request: pytest.FixtureRequest) -> Callable[[], Memory]:
    return lambda: memory_of(Seat(memory=request.param))
