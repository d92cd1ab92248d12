"""Every client of language models keeps the contract of a client; and what one alone must do."""

from __future__ import annotations

import pytest
from clients import KINDS, Place
from contracts.clients import *
from contracts.clients import failing
from model_servers import Doing

from whoknew.agents.errors import KeyRefused


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
