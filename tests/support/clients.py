"""Clients of language models, each opened against a server that speaks its protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from model_servers import GOOD, Doing, Protocol, Server, serving

from whoknew.agents.mind import Said
from whoknew.agents.models.address import opened
from whoknew.agents.models.model import Message, Model, Request, Sampling

KINDS = ("http", "openai", "gemini")
KEY = "sk-a-key-that-nobody-may-read"
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
)


class Place:
    """Opens a client of one kind against a server of its protocol."""

    def __init__(self, kind: str, patch: pytest.MonkeyPatch) -> None:
        self.kind, self._patch = kind, patch
        self.protocol: Protocol = "gemini" if kind == "gemini" else "openai"

    @asynccontextmanager
    async def at(self, url: str, patience: float = 5.0) -> AsyncIterator[Model]:
        for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY", "WHOKNEW_HTTP_KEY"):
            self._patch.setenv(variable, KEY)
        self._patch.setenv("OPENAI_BASE_URL", url)
        self._patch.setenv("GEMINI_BASE_URL", url)
        address = f"{url}#stub" if self.kind == "http" else f"{self.kind}:stub"
        async with opened(address, patience) as model:
            assert model.name == address
            yield model

    @asynccontextmanager
    async def doing(
        self, *doings: Doing, after: Doing = GOOD, patience: float = 5.0
    ) -> AsyncIterator[tuple[Model, Server]]:
        async with (
            serving(self.protocol, doings, after) as server,
            self.at(server.url, patience) as model,
        ):
            yield model, server
