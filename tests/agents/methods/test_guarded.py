"""Whoever is asked again by a guard is told so, by whatever method it is asked."""

from __future__ import annotations

import pytest

from whoknew.agents import briefing
from whoknew.agents.answering import Answer
from whoknew.agents.errors import GivesAway
from whoknew.agents.methods.guarded import Guarded, LineGuard
from whoknew.agents.methods.method import Method
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.parts import Owner
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand
from whoknew.engine.registry import METHODS

WHO = "Ann"

ASKED = briefing.request(
    "answer", f"You are {WHO}.", Sections(who=WHO, question="Who took the lamp?"), Answer
)


class Refusing(LineGuard):
    async def refuses(self, text: str, *, kept: bool) -> bool:
        return True


class Answering:
    """Says the same whatever it is asked, in a form that answers all that methods ask."""

    name = "answering:"

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text='{"answer": "Bob.", "spatiotemporal": 3, "personality": 3}')


def guarded(method: Method) -> Guarded:
    return Guarded(who=WHO, method=method, guard=Refusing(), tries=1, then="drop")


@pytest.mark.parametrize("name", sorted({*METHODS.ours} - {"experts"}))
async def test_whoever_is_asked_again_is_told_that_it_gave_something_away(name: str) -> None:
    model = Answering()
    method: Method = METHODS.made(name, {}).make(Owner(who=WHO))
    with pytest.raises(GivesAway):
        await guarded(method).ask(model, ASKED, lambda text: understand(text, Answer))
    half = len(model.asked) // 2
    for first, again in zip(model.asked[:half], model.asked[half:], strict=True):
        told = again.messages[0].text.removeprefix(first.messages[0].text)
        assert told.strip().startswith(f"{WHO} was about to say what {WHO} has neither seen")
        assert again.messages[1] == first.messages[1]
