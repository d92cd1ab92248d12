"""`local:`, a model of transformers in this process.

One thread of its own holds it: whoever waits is answered many at once, those of one adapter and one way
of choosing words together; and while it trains, nobody is. The loop waits for nothing of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import AgentError, Rejected
from whoknew.agents.models.model import EMBED, Model, Reply, Request
from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.libraries import brief
from whoknew.agents.weights.network import Network
from whoknew.agents.weights.training import TRAIN, order_of

MOST = 16
"""So many are answered at once."""


@asynccontextmanager
async def opened(address: str, path: Path, adapter: str, folder: Path) -> AsyncIterator[Model]:
    """The model of a folder, for as long as it is needed; BadModel where it cannot be had."""
    thread = ThreadPoolExecutor(1, "local model")
    try:
        loop = asyncio.get_running_loop()
        network = await loop.run_in_executor(thread, Network, path, Artefacts(folder), adapter)
        try:
            yield LocalModel(address, network, thread)
        finally:
            network.close()
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


class WaitingRequest(Struct, frozen=True, eq=False):
    """A request that waits for its reply."""

    request: Request
    reply: asyncio.Future[Reply]

    def tell(self, found: Reply | Exception) -> None:
        if isinstance(found, Exception):
            self.reply.set_exception(found)
        else:
            self.reply.set_result(found)


class LocalModel:
    """What is asked while it answers waits, and is answered together."""

    def __init__(self, address: str, network: Network, thread: ThreadPoolExecutor) -> None:
        self.name, self._network, self._thread = address, network, thread
        self._waiting: list[WaitingRequest] = []
        self._working: asyncio.Task[None] | None = None

    async def complete(self, request: Request) -> Reply:
        if request.purpose == EMBED:
            raise Rejected(f"{self.name} gives no vectors: name an embedder")
        waiting = WaitingRequest(request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._working is None or self._working.done():
            self._working = asyncio.ensure_future(self._work())
        return await waiting.reply

    async def _work(self) -> None:
        """All that waits, until nothing does. Whoever waits no longer is not answered."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(0)  # who asks in the same breath is answered together
        while self._waiting:
            together = self._together()
            asked = [one.request for one in together if not one.reply.done()]
            if not asked:
                continue
            try:
                replies = await loop.run_in_executor(self._thread, self._replied, asked)
            except Exception as error:  # noqa: BLE001  (each who waits is told of it)
                replies = [error] * len(asked)
            said = {id(request): reply for request, reply in zip(asked, replies, strict=True)}
            for one in together:
                if not one.reply.done():
                    one.tell(said[id(one.request)])

    def _together(self) -> list[WaitingRequest]:
        """The one that waited longest, and those that can be answered with it."""
        first = self._waiting[0].request
        alone = first.purpose == TRAIN
        fitting = [
            one
            for one in self._waiting
            if one.request is first
            or (
                not (alone or one.request.purpose == TRAIN)
                and (one.request.adapter, one.request.sampling) == (first.adapter, first.sampling)
            )
        ][: 1 if alone else MOST]
        chosen = set(map(id, fitting))
        self._waiting = [one for one in self._waiting if id(one) not in chosen]
        return fitting

    def _replied(self, asked: list[Request]) -> list[Reply | Exception]:
        first, begun = asked[0], perf_counter()
        try:
            if first.purpose == TRAIN:
                return [self._trained(first, begun)]
            chats = [one.messages for one in asked]
            said = self._network.said(chats, first.sampling, first.adapter)
        except AgentError:
            raise
        except MemoryError as error:
            raise Rejected(f"{self.name} failed: no memory is left") from error
        except Exception as error:  # what is in such a folder makes torch raise anything
            raise Rejected(f"{self.name} failed: {brief(error)}") from error
        seconds = perf_counter() - begun
        return [replace(one, seconds=seconds) if isinstance(one, Reply) else one for one in said]

    def _trained(self, request: Request, begun: float) -> Reply:
        trained = self._network.train(*order_of(request))
        seconds = perf_counter() - begun
        text = msgspec.json.encode(replace(trained, seconds=round(seconds, 3))).decode()
        return Reply(text=text, seconds=seconds)
