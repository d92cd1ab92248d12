"""Every method that a plan can name keeps the contract of a method: all of it."""

import pytest

from whoknew.agents.methods.method import MethodEntry
from whoknew.engine.registry import METHODS
from whoknew.testing.methods import *


@pytest.fixture(params=METHODS.ours)
def method(request: pytest.FixtureRequest) -> MethodEntry:
    return METHODS.made(request.param, {})
