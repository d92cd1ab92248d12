"""Every client of language models keeps the contract of a client; and what one alone must do."""

from __future__ import annotations

import pytest
from clients import KINDS, Place
from contracts.clients import *
from contracts.clients import failing
from model_servers import Doing, serving
from waiting import PATIENCE

from whoknew.agents.errors import KeyRefused, Rejected
from whoknew.agents.models.model import Message, Request
from whoknew.engine.running.models import opened


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(kind: str, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(kind, monkeypatch)


@pytest.mark.parametrize("kind", ["gemini"])
async def test_a_key_that_gemini_calls_a_bad_request_is_a_key_refused(place: Place) -> None:
    error = await failing(place, Doing("API key not valid (API_KEY_INVALID)", 400))
    assert type(error) is KeyRefused
    assert "check the key" in str(error)


TOO_LONG = {
    "openai": "This model's maximum context length is 4096 tokens (context_length_exceeded)",
    "gemini": "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
}


@pytest.mark.parametrize("kind", ["openai", "gemini"])
async def test_a_prompt_that_is_too_long_says_what_to_set(place: Place, kind: str) -> None:
    error = await failing(place, Doing(TOO_LONG[kind], 400))
    assert type(error) is Rejected
    assert "give the seat a `budget`" in str(error)


async def test_an_adapter_that_a_server_holds_is_asked_by_its_name() -> None:
    """As servers that hold adapters have them: each is a model of its own beside its base."""
    names = ("ann-E3", "org/ann:e4")
    async with serving("openai") as server:
        for name in names:
            async with opened(f"{server.url}#{name}", PATIENCE) as model:
                reply = await model.complete(Request("answer", (Message("user", "Where?"),)))
                assert reply.tokens_in
                assert reply.tokens_out
    assert [asked["model"] for asked in server.asked] == [*names]
