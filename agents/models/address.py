"""The addresses of our models. What is behind them is loaded when it is opened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from msgspec.structs import replace

from whoknew.agents.errors import BadModel
from whoknew.agents.models.model import Model, ModelEntry

OFFLINE = "offline:"
"""The model that needs nothing, and costs nothing."""

MINILM = "minilm:"
"""The model that gives vectors of texts, on this machine."""

RECORDED = "recorded:"
"""Before the address of the log whose calls are answered as they were."""

LOCAL = "local:"
"""Before the folder of a model that runs in this process."""

CACHE = "cache:"
"""Before the name of a file of prompts and what was answered to them."""


class OfflineEntry(ModelEntry, frozen=True):
    """no key, no network: it only repeats what stands in its prompt"""

    form: ClassVar[str] = OFFLINE

    def __post_init__(self) -> None:
        pass

    @property
    def name(self) -> str:
        return self.address

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        from whoknew.agents.models.offline import Offline

        return nullcontext(Offline())


class OpenAIEntry(ModelEntry, frozen=True):
    """a model of OpenAI"""

    form: ClassVar[str] = "openai:NAME"
    keys: ClassVar[tuple[str, ...]] = ("OPENAI_API_KEY",)
    other_server: ClassVar[str] = "OPENAI_BASE_URL"

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        from whoknew.agents.models.openai import OpenAI

        return OpenAI(self.rest, self.key(), patience)


class GeminiEntry(ModelEntry, frozen=True):
    """a model of Google"""

    form: ClassVar[str] = "gemini:NAME"
    keys: ClassVar[tuple[str, ...]] = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    other_server: ClassVar[str] = "GEMINI_BASE_URL"

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        from whoknew.agents.models.gemini import Gemini

        return Gemini(self.rest, self.key(), patience)


class HttpEntry(ModelEntry, frozen=True):
    """a model on any server that speaks the protocol of OpenAI"""

    form: ClassVar[str] = "http://HOST:PORT/v1#NAME"
    keys: ClassVar[tuple[str, ...]] = ("WHOKNEW_HTTP_KEY",)

    def __post_init__(self) -> None:
        server, _, name = self.rest.partition("#")
        if not name or len(server) < len("//H"):
            raise ValueError(f"names no model: give {self.form}")
        if why := _no_url(self.url):
            raise ValueError(f"is no address of a server: {why}")

    @property
    def url(self) -> str:
        return self.address.partition("#")[0]

    @property
    def name(self) -> str:
        return self.rest.partition("#")[2]

    @asynccontextmanager
    async def open(self, patience: float) -> AsyncIterator[Model]:
        from whoknew.agents.models.connections import connector
        from whoknew.agents.models.http import HttpModel

        async with connector() as connections:
            yield HttpModel(
                self.url, self.name, connections, key=self.given_key(), timeout=patience
            )


class HttpsEntry(HttpEntry, frozen=True):
    """the same, over TLS"""

    form: ClassVar[str] = "https://HOST/v1#NAME"


class MiniLMEntry(ModelEntry, frozen=True):
    """vectors of texts, for a memory: no key, no network; needs whoknew[dense]"""

    form: ClassVar[str] = MINILM

    def __post_init__(self) -> None:
        if self.rest:
            raise ValueError(f"is one model: give {MINILM}")

    @property
    def name(self) -> str:
        return self.address

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        from whoknew.agents.models.minilm import MiniLM, folder

        folder()  # what is missing is said at once
        return nullcontext(MiniLM())


class LocalEntry(ModelEntry, frozen=True):
    """a model of transformers in this process, with an adapter or without; needs whoknew[train]"""

    form: ClassVar[str] = "local:PATH or local:PATH#ADAPTER"
    takes_adapters: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.rest.partition("#")[0]:
            raise ValueError(f"names no folder of a model: give {self.form}")

    folder: str = ""
    """Where what it trains is kept; beside the model where nobody says."""

    @property
    def path(self) -> Path:
        return Path(self.rest.partition("#")[0])

    @property
    def adapter(self) -> str:
        return self.rest.partition("#")[2]

    @property
    def name(self) -> str:
        return self.address

    def keeping_in(self, folder: Path) -> LocalEntry:
        return replace(self, folder=str(folder))

    @asynccontextmanager
    async def open(self, patience: float) -> AsyncIterator[Model]:
        from whoknew.agents.models.local import opened

        folder = Path(self.folder or f"{self.path}.weights")
        async with opened(self.address, self.path, self.adapter, folder) as model:
            yield model


class RecordedEntry(ModelEntry, frozen=True):
    """the answers on another log"""

    form: ClassVar[str] = "recorded:LOG"

    def __post_init__(self) -> None:
        if not self.rest:
            raise ValueError(f"names no log: give {self.form}")

    @property
    def name(self) -> str:
        return self.address

    def open(self, patience: float) -> AbstractAsyncContextManager[Model]:
        raise BadModel(
            f"{self.address!r} gives the answers of a world that is played again: name it in a plan, "
            "and run that"
        )


class CacheEntry(ModelEntry, frozen=True):
    """the answers in a file of prompts, JSON lines"""

    form: ClassVar[str] = "cache:FILE"

    def __post_init__(self) -> None:
        if not self.rest:
            raise ValueError(f"names no file: give {self.form}")

    @property
    def name(self) -> str:
        return self.address

    @asynccontextmanager
    async def open(self, patience: float) -> AsyncIterator[Model]:
        from whoknew.agents.models.prompt_cache import prompt_cache

        yield await prompt_cache(self.address, Path(self.rest))


def _no_url(url: str) -> str:
    """What is wrong with the address of a server."""
    from yarl import URL

    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return "it names no host"
        if parts.port == 0:
            return "there is no port 0"
        URL(url)
    except ValueError as error:
        return str(error)
    return ""
