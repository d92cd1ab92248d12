"""Every judge that a plan can name keeps the contract of a judge: all of it."""

from collections.abc import Callable

import pytest
from contracts.judges import *

from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model
from whoknew.engine import registry
from whoknew.engine.plan.plan import Judging
from whoknew.engine.playing.judge import Judge


@pytest.fixture(params=registry.JUDGES)
def judge(request: pytest.FixtureRequest) -> Callable[[Model, Callable[[str], Mind]], Judge]:
    made = registry.load(registry.JUDGES[request.param])
    return lambda model, minds: made(Judging(request.param), model, minds)
