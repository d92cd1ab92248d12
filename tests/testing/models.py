"""What every model is held to, whatever is behind it or wrapped around it. None is excused from any of
it.

- Law 6: what it is asked stays as it is, since that goes onto the log; what it says of a call can be.
- Law 7: what it cannot answer it raises, as a ModelError.
- Many can ask at once, and one that gives up keeps nobody from asking.

Give the fixture `model`: one that is open, and answers `ASKED`; and `failing`: one that is open, and
cannot answer it, such as one whose server is away.
"""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from whoknew.agents.errors import ModelError
from whoknew.agents.mind import Said
from whoknew.agents.models.model import MOST_TOKENS, Message, Model, Request, Sampling
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand
from whoknew.engine import registry

pytestmark = pytest.mark.asyncio

ASKED = Request(
    "act",
    (
        Message("system", "You are Oda."),
        Message("user", "What do you do?"),
        Message("assistant", "Hm."),
        Message("user", "Answer."),
    ),
    Said,
    Sampling(temperature=0.5, max_tokens=80),
    Sections(who="Oda"),
)

PATIENCE = 120.0
"""Seconds after which a test gives up: they only end a hang."""


async def test_its_name_is_an_address(model: Model) -> None:
    registry.model(model.name)


async def test_what_it_answers_is_what_was_asked_for(model: Model) -> None:
    reply = await model.complete(ASKED)
    assert reply.ended == "stop"
    assert isinstance(understand(reply.text, Said), Said)


async def test_what_it_says_of_a_call_can_be(model: Model) -> None:
    reply = await model.complete(ASKED)
    assert reply.seconds >= 0 and reply.attempts == 1
    for tokens in (reply.tokens_in, reply.tokens_out):
        assert tokens is None or 0 < tokens <= MOST_TOKENS


async def test_a_request_stays_as_it_is(model: Model) -> None:
    """What goes onto the log is what was asked: law 6."""
    asked = replace(ASKED)
    prompt, digest = asked.prompt, asked.digest
    await model.complete(asked)
    assert (asked, asked.prompt, asked.digest) == (ASKED, prompt, digest)


async def test_what_it_cannot_answer_it_raises(failing: Model) -> None:
    """Law 7: nothing else than a ModelError, which says whether to ask again; never a reply."""
    with pytest.raises(ModelError) as raised:
        await failing.complete(ASKED)
    assert str(raised.value), "it says why"


async def test_many_can_ask_at_once(model: Model) -> None:
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        calls = [group.create_task(model.complete(ASKED)) for _ in range(8)]
    assert all(isinstance(understand(call.result().text, Said), Said) for call in calls)


async def test_one_that_gives_up_keeps_nobody_from_asking(model: Model) -> None:
    """More of them than a model is asked at once."""
    for _ in range(8):
        call = asyncio.ensure_future(model.complete(ASKED))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
    async with asyncio.timeout(PATIENCE):
        assert (await model.complete(ASKED)).text
