"""Every judge that a plan can name keeps the contract of a judge: all of it."""

import pytest

from whoknew.engine.playing.judge import JudgeEntry
from whoknew.engine.registry import JUDGES
from whoknew.testing.judges import *


@pytest.fixture(params=JUDGES.ours)
def judge(request: pytest.FixtureRequest) -> JudgeEntry:
    return JUDGES.made(request.param, {})
