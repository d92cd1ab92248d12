"""What a model thinks aloud before its answer is no part of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from model_servers import Doing, serving

from whoknew.agents.errors import BadAnswer
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Said
from whoknew.agents.models.model import Message, Request
from whoknew.agents.understand import understand, understand_one
from whoknew.engine.running.models import opened

DRAFT = 'Perhaps {"act": "speak", "text": "I hid it."}? No: that gives it away.'
ANSWER = '{"act": "speak", "text": "What letter?"}'
ASKED = Request("act", (Message("user", "What do you do?"),), answer=Said)


async def answered(text: str, read: Callable[[str], Any]) -> Any:
    async with (
        serving("openai", after=Doing(text)) as server,
        opened(f"{server.url}#m", 10.0) as model,
    ):
        return await Plain(0).ask(model, ASKED, read)


@pytest.mark.parametrize("begins", ["<think>", "\n <think>\n", ""])
@pytest.mark.parametrize("reader", [understand, understand_one])
async def test_a_draft_in_a_thought_is_not_taken_for_the_answer(
    begins: str, reader: Callable[[str, type[Said]], Said]
) -> None:
    """Some servers send both in one text, and some templates leave out how a thought begins."""
    said = f"{begins}{DRAFT}\n</think>\n\n{ANSWER}"
    assert (await answered(said, partial(reader, kind=Said))).text == "What letter?"


async def test_who_asks_for_words_is_given_those_behind_the_thought() -> None:
    assert await answered("<think>Hm.</think> Yes.", str.strip) == "Yes."


async def test_a_thought_without_an_answer_is_none() -> None:
    with pytest.raises(BadAnswer, match="is empty"):
        await answered(f"<think>{DRAFT}</think>\n", partial(understand, kind=Said))


async def test_who_speaks_of_a_thought_says_it() -> None:
    said = '{"act": "speak", "text": "She wrote </think> on the wall."}'
    found = await answered(said, partial(understand, kind=Said))
    assert found.text == "She wrote </think> on the wall."
