"""Every judge that a plan can name keeps the contract of a judge: all of it."""

import pytest
from answering_models import ByPurpose

from whoknew.agents.models.model import Model
from whoknew.engine.judges.entailment import EntailmentEntry
from whoknew.engine.judges.faithful import FaithfulEntry
from whoknew.engine.judges.last_line import LastLineEntry
from whoknew.engine.judges.moment import MomentEntry
from whoknew.engine.judges.personality import PersonalityEntry
from whoknew.engine.judges.remembered import RememberedEntry
from whoknew.engine.judges.slips import SlipsEntry
from whoknew.engine.playing.judge import JudgeEntry
from whoknew.engine.registry import JUDGES
from whoknew.testing.judges import *
from whoknew.testing.stub_models import ByDigest

LAST = {
    MomentEntry: "1",
    PersonalityEntry: "5",
    EntailmentEntry: "1",
    SlipsEntry: "temporal",
    RememberedEntry: "1",
    FaithfulEntry: "1",
}


@pytest.fixture
def answering(judge: JudgeEntry) -> Model:
    """Where the last line is to be a verdict, one that gives it."""
    if isinstance(judge, LastLineEntry):
        return ByPurpose(judge=f"So it was.\n{LAST[type(judge)]}")
    return ByDigest()


@pytest.fixture(params=JUDGES.ours)
def judge(request: pytest.FixtureRequest) -> JudgeEntry:
    return JUDGES.made(request.param, {})
