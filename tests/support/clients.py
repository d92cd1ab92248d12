"""Clients of language models, each opened against a server that speaks its protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from model_servers import GOOD, Doing, Protocol, Server, serving
from waiting import PATIENCE

from whoknew.agents.models.calling.sending import Sending
from whoknew.agents.models.model import Model
from whoknew.engine.running.models import opened

SENT = "sent "
"""Before a kind whose calls are sent by a process beside this one."""

KINDS = ("http", "openai", "gemini", f"{SENT}http", f"{SENT}openai")
KEY = "sk-a-key-that-nobody-may-read"


class Place:
    """Opens a client of one kind against a server of its protocol."""

    def __init__(self, kind: str, patch: pytest.MonkeyPatch) -> None:
        self.kind, self._patch = kind.removeprefix(SENT), patch
        self._is_sent = kind.startswith(SENT)
        self.protocol: Protocol = "gemini" if kind == "gemini" else "openai"

    @asynccontextmanager
    async def at(self, url: str, patience: float = PATIENCE) -> AsyncIterator[Model]:
        for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY", "WHOKNEW_HTTP_KEY"):
            self._patch.setenv(variable, KEY)
        self._patch.setenv("OPENAI_BASE_URL", url)
        self._patch.setenv("GEMINI_BASE_URL", url)
        address = f"{url}#stub" if self.kind == "http" else f"{self.kind}:stub"
        async with (
            Sending() as sending,
            opened(address, patience, sending=sending if self._is_sent else None) as model,
        ):
            assert self._is_sent == any(map(sending.caller, sending._models))
            assert model.name == address
            yield model

    @asynccontextmanager
    async def doing(
        self, *doings: Doing, after: Doing = GOOD, patience: float = PATIENCE
    ) -> AsyncIterator[tuple[Model, Server]]:
        async with (
            serving(self.protocol, doings, after) as server,
            self.at(server.url, patience) as model,
        ):
            yield model, server
