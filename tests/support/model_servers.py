"""Servers that speak the protocols of language models, and do on each call what they are told."""

from __future__ import annotations

import asyncio
import hashlib
from array import array
from asyncio.subprocess import Process
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from math import inf
from threading import Thread
from time import monotonic
from typing import Any, Literal

import msgspec
from aiohttp import web
from msgspec import Struct
from waiting import until

from whoknew.agents.models.hashing import hashed
from whoknew.engine.judges.scales import CHECKS, DIMENSIONS

Protocol = Literal["openai", "gemini"]


class Doing(Struct, frozen=True):
    """What a call is answered: a text as the protocol has it, or a body as it is."""

    text: str | None = '{"act": "speak", "text": "Good evening."}'
    status: int = 200
    headers: dict[str, str] = {}
    body: bytes | None = None
    ended: Literal["stop", "length", "refused"] = "stop"
    wait: float = 0.0
    breaks: Literal["", "at once", "in the middle"] = ""


GOOD = Doing()

ARRIVES = 0.03
"""Seconds within which an answer has surely reached whoever asked: until then it is under way."""


Answering = Doing | Callable[[Any], Doing]


class Server:
    """Does what it is told, call by call, and then `after` for ever, which may depend on what is
    asked; who asks for vectors of texts gets them, unless it is told otherwise. It keeps what it was
    asked, and when each call was over."""

    def __init__(
        self, protocol: Protocol, doings: Sequence[Doing] = (), after: Answering = GOOD
    ) -> None:
        self._protocol, self._doings, self._after = protocol, list(doings), after
        self.asked: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.over: list[float] = []
        self.in_flight = self.peak = 0
        self.url = ""
        self.going = asyncio.Event()
        """While it is cleared, no call is answered."""
        self.going.set()
        self.held_from = inf
        """The number of the call that clears it."""

    @property
    def calls(self) -> int:
        return len(self.asked)

    async def until_asked(self, calls: int, *, by: Process | None = None) -> None:
        """Wait until it was asked as often as that, by this process where one is named."""
        await until(lambda: self.calls >= calls, by=by)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = msgspec.json.decode(await request.read())
        self.asked.append(asked)
        if self.calls >= self.held_from:
            self.going.clear()
        self.headers.append(dict(request.headers))
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            doing = self._doings.pop(0) if self._doings else self._after
            if not isinstance(doing, Doing):
                doing = doing(asked)
            if request.path.endswith("/embeddings") and doing is GOOD:
                doing = embeddings(asked)
            await self.going.wait()
            await asyncio.sleep(doing.wait)
            return await self._do(doing, request)
        finally:
            self.over.append(monotonic())
            asyncio.get_running_loop().call_later(ARRIVES, self._arrived)

    def _arrived(self) -> None:
        self.in_flight -= 1

    async def _do(self, doing: Doing, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        if doing.breaks == "at once":
            request.transport.abort()
        body = doing.body if doing.body is not None else self._reply(doing)
        if doing.breaks == "in the middle":
            response = web.StreamResponse(headers={"Content-Length": str(len(body))})
            await response.prepare(request)
            await response.write(body[: len(body) // 2])
            request.transport.abort()
            return response
        headers = {"Content-Type": "application/json", **doing.headers}
        return web.Response(status=doing.status, body=body, headers=headers)

    def _reply(self, doing: Doing) -> bytes:
        if doing.status != 200:
            return msgspec.json.encode({"error": {"message": doing.text, "code": doing.status}})
        return msgspec.json.encode(spoken(self._protocol, doing))


def embeddings(asked: Any, *, as_numbers: bool = False) -> Doing:
    """A vector of each text, by its words: as it is asked for, or as numbers."""
    data = []
    for index, text in enumerate(asked["input"]):
        row: Any = hashed(text)
        if asked.get("encoding_format") == "base64" and not as_numbers:
            row = b64encode(array("f", row).tobytes()).decode()
        data.append({"object": "embedding", "index": index, "embedding": row})
    tokens = sum(len(text.split()) for text in asked["input"])
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    told = {"object": "list", "data": data[::-1], "model": "stub", "usage": usage}
    return Doing(body=msgspec.json.encode(told))


def by_digest(asked: Any) -> Doing:
    """An answer that depends on nothing but what was asked."""
    digest = digest_of_asked(asked)
    chosen = int(digest[:2], 16)
    if "response_format" not in asked:
        return Doing(f"It was {digest[:6]}.", wait=0.01)
    act = ("speak", "speak", "action", "non-verbal", "none", "leave", "speak", "speak")[chosen % 8]
    said: dict[str, Any] = {"act": act, "text": f"I say {digest[2:8]}.", **judged(chosen)}
    if b'"overview"' in msgspec.json.encode(asked["response_format"]):
        said = dict.fromkeys(("overview", "negotiation", "knowledge"), f"It was {digest[:6]}.")
    return Doing(msgspec.json.encode(said).decode(), wait=0.004 + chosen / 20_000)


def judged(chosen: int) -> dict[str, Any]:
    """What a judge may answer, of either kind: in range, and another for each number."""
    why = f"Because of {chosen}."
    seven = {
        name: {"reason": why, "score": least + chosen % (most - least + 1)}
        for name, (least, most) in DIMENSIONS.items()
    }
    eight = {
        name: {"reason": why, "passed": bool(chosen >> bit & 1)} for bit, name in enumerate(CHECKS)
    }
    return {**seven, **eight}


def digest_of_asked(asked: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()


@asynccontextmanager
async def serving(
    protocol: Protocol,
    doings: Sequence[Doing] = (),
    after: Answering = GOOD,
    host: str = "127.0.0.1",
) -> AsyncIterator[Server]:
    server = Server(protocol, doings, after)
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/{path:.*}", server.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, host, 0)
    await site.start()
    port = runner.addresses[0][1]
    server.url = f"http://{host}:{port}" + ("/v1" if protocol == "openai" else "")
    try:
        yield server
    finally:
        await runner.cleanup()


@contextmanager
def serving_apart(protocol: Protocol, after: Answering = GOOD) -> Iterator[Server]:
    """The same in a thread of its own, for a command that is run in this process."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    serves = serving(protocol, after=after)
    try:
        yield asyncio.run_coroutine_threadsafe(serves.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(serves.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def spoken(protocol: Protocol, doing: Doing) -> dict[str, Any]:
    """A text as the protocol has it."""
    return _openai(doing) if protocol == "openai" else _gemini(doing)


def _openai(doing: Doing) -> dict[str, Any]:
    finish = {"stop": "stop", "length": "length", "refused": "content_filter"}[doing.ended]
    message = {"role": "assistant", "content": doing.text}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
    }


def _gemini(doing: Doing) -> dict[str, Any]:
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}[doing.ended]
    content = {"role": "model", "parts": [{"text": doing.text}] if doing.text is not None else []}
    return {
        "candidates": [{"content": content, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 5, "totalTokenCount": 17},
    }
