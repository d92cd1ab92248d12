"""Every model that an address can name, and all that is put around one, keeps the contract of a
model: all of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients import KINDS, Place
from documented import documented
from installed_packages import installed
from model_servers import Doing
from ollama_server import ollama

from whoknew.agents.models.limits import Limited, Limits
from whoknew.agents.models.model import Model
from whoknew.agents.models.offline import Offline
from whoknew.agents.models.prompt_cache import (
    CachedPrompt,
    PromptCache,
    prompt_key,
    prompt_text,
)
from whoknew.agents.models.recorded import Calls, Recorded
from whoknew.agents.models.retries import Retrying
from whoknew.engine.running.models import opened
from whoknew.eventlog.kinds import Called
from whoknew.testing.models import *
from whoknew.testing.stub_models import Away

OTHERS = {
    "offline": Offline,
    "recorded": lambda: Recorded("recorded:a.db", "Oda", recorded()),
    "cache": lambda: PromptCache("cache:a.jsonl", cached()),
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


def cached() -> dict[bytes, CachedPrompt]:
    text = prompt_text(ASKED.messages)
    return {prompt_key(text): CachedPrompt("", '{"act": "speak", "text": "Good evening."}', "m")}


OUTSIDE = "one from the docs"


FAILING = {
    "recorded": lambda: Recorded("recorded:a.db", "Oda", Calls()),
    "cache": lambda: PromptCache("cache:a.jsonl", {}),
    "retrying": lambda: Retrying(Away(), 1),
    "limited": lambda: Limited(Away(), Limits(2, 10**6, 10**9)),
}


@pytest.fixture(params=[*KINDS, *FAILING, OUTSIDE])
async def failing(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Model]:
    """The offline model answers whatever has sections: what it refuses is tested with them."""
    if request.param == OUTSIDE:
        points = {"whoknew.models": {"ollama": "ollamas:OllamaEntry"}}
        with installed(tmp_path, "ollamas", documented("OllamaEntry"), points):
            monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
            async with opened("ollama:llama3") as model:
                yield model
    elif request.param in FAILING:
        yield FAILING[request.param]()
    else:
        async with Place(request.param, monkeypatch).doing(after=Doing(status=400)) as (model, _):
            yield model


@pytest.fixture(params=[*KINDS, *OTHERS, OUTSIDE])
async def model(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Model]:
    if request.param == OUTSIDE:
        points = {"whoknew.models": {"ollama": "ollamas:OllamaEntry"}}
        with (
            ollama() as (url, _),
            installed(tmp_path, "ollamas", documented("OllamaEntry"), points),
        ):
            monkeypatch.setenv("OLLAMA_HOST", url)
            async with opened("ollama:llama3") as model:
                yield model
    elif request.param in OTHERS:
        yield OTHERS[request.param]()
    else:
        async with Place(request.param, monkeypatch).doing() as (model, _):
            yield model
