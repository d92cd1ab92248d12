"""Every agent that a seat of a plan can have keeps the contract of an agent: all of it."""

import pytest

from whoknew.agents.agent import AgentEntry
from whoknew.engine.registry import AGENTS
from whoknew.testing.agents import *


@pytest.fixture(params=AGENTS.ours)
def agent(request: pytest.FixtureRequest) -> AgentEntry:
    return AGENTS.made(request.param, {})
