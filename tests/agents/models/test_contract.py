"""Every model that an address can name, and all that is put around one, keeps the contract of a
model: all of it."""

from collections.abc import AsyncIterator

import pytest
from clients import ASKED, KINDS, Place
from contracts.models import *

from whoknew.agents.models.limits import Limited, Limits
from whoknew.agents.models.model import Model
from whoknew.agents.models.offline import Offline
from whoknew.agents.models.recorded import Calls, Recorded
from whoknew.agents.models.retries import Retrying
from whoknew.eventlog.kinds import Called

OTHERS = {
    "offline": Offline,
    "recorded": lambda: Recorded("recorded:a.db", "Oda", recorded()),
    "retrying": lambda: Retrying(Offline()),
    "limited": lambda: Limited(Offline(), Limits(2, 10**6, 10**9)),
}


def recorded() -> Calls:
    """More answers to the one request than anybody asks for."""
    calls = Calls()
    for _ in range(20):
        said = '{"act": "speak", "text": "Good evening."}'
        calls.take(Called("act", "m", ASKED.digest, reply=said))
    return calls


@pytest.fixture(params=[*KINDS, *OTHERS])
async def model(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Model]:
    if request.param in OTHERS:
        yield OTHERS[request.param]()
    else:
        async with Place(request.param, monkeypatch).doing() as (model, _):
            yield model
