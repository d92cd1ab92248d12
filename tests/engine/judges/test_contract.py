"""Every judge that a plan can name keeps the contract of a judge: all of it."""

import pytest
from answering_models import ByPurpose

from whoknew.agents.models.model import Model
from whoknew.engine.judges.moment import MomentEntry
from whoknew.engine.playing.judge import JudgeEntry
from whoknew.engine.registry import JUDGES
from whoknew.testing.judges import *
from whoknew.testing.stub_models import ByDigest

SCORE = "So it was.\n1"


@pytest.fixture
def answering(judge: JudgeEntry) -> Model:
    """Where the last line is to be a score, one that gives it."""
    return ByPurpose(judge=SCORE) if isinstance(judge, MomentEntry) else ByDigest()


@pytest.fixture(params=JUDGES.ours)
def judge(request: pytest.FixtureRequest) -> JudgeEntry:
    return JUDGES.made(request.param, {})
