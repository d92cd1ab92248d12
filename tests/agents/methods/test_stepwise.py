"""Thoughts go into the prompt that is to be answered: whatever they are."""

from __future__ import annotations

import pytest

from whoknew.agents.methods.method import LONGEST
from whoknew.agents.methods.stepwise import Stepwise
from whoknew.agents.models.model import Reply, Request
from whoknew.testing.models import ASKED


class Thinking:
    """Thinks this aloud, and answers."""

    name = "thinking:"

    def __init__(self, thoughts: str) -> None:
        self._thoughts = thoughts
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=self._thoughts if request.purpose == "think" else "Yes.")

    @property
    def shown(self) -> str:
        """What it is shown again of its thoughts."""
        return self.asked[-1].messages[-2].text


async def test_thoughts_without_an_end_are_not_put_into_a_prompt() -> None:
    model = Thinking("Hm. " * LONGEST)
    assert await Stepwise().ask(model, ASKED, str) == "Yes."
    assert len(model.shown) < LONGEST / 10


@pytest.mark.parametrize("thoughts", ["It rained, so she stayed.", "x" * LONGEST])
async def test_thoughts_are_shown_word_for_word(thoughts: str) -> None:
    model = Thinking(thoughts)
    await Stepwise().ask(model, ASKED, str)
    assert model.shown == thoughts


async def test_no_message_is_empty_where_nothing_was_thought() -> None:
    """Some servers refuse one."""
    model = Thinking("")
    await Stepwise().ask(model, ASKED, str)
    assert model.shown == "(nothing)"
