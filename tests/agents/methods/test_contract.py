"""Every method that a plan can name keeps the contract of a method: all of it."""

from collections.abc import Callable

import pytest
from contracts.methods import *

from whoknew.agents.methods.method import Method
from whoknew.engine.plan.plan import Seat
from whoknew.engine.registry import METHODS
from whoknew.engine.running.models import method_of


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Callable[[int], Method]:
    return lambda reasks: method_of(Seat(method=request.param, reasks=reasks))
