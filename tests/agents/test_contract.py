"""Every agent that a seat of a plan can have keeps the contract of an agent: all of it."""

from collections.abc import Callable

import pytest
from contracts.agents import *
from small_chains import ByDigest

from whoknew.agents.agent import Agent
from whoknew.agents.human import Human
from whoknew.engine.plan.plan import Seat
from whoknew.engine.running.models import by_plan

LINES = ("Good evening.", "/think So that is how it is.", "/do looks out", "/whisper Nobody: psst")


class Typist:
    """A person who says something else when told that a thing cannot be done."""

    TRIES = ("/whisper Nobody: psst", "Good evening.", "/pass")

    def __init__(self) -> None:
        self._refused = False
        self._tried = 0

    async def read(self, prompt: str) -> str:
        self._tried = self._tried + 1 if self._refused else 0
        self._refused = False
        return self.TRIES[self._tried]

    def write(self, text: str) -> None:
        self._refused = self._refused or "cannot be done" in text


def human(who: str) -> Agent:
    typist = Typist()
    return Human(who, typist.read, typist.write)


def planned(name: str) -> Callable[[str], Agent]:
    seat = Seat(agent=name, memory="recall", lines={"*": LINES})  # type: ignore[arg-type]
    return lambda who: by_plan(who, seat, ByDigest)


@pytest.fixture(params=["mind", "bargainer", "scripted", "human"])
def agent(request: pytest.FixtureRequest) -> Callable[[str], Agent]:
    return human if request.param == "human" else planned(request.param)
