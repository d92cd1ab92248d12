"""The OpenAI protocol: what is sent, and what is read of what comes back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadReply
from whoknew.agents.models.embeddings import LARGEST as LARGEST_VECTORS
from whoknew.agents.models.embeddings import Embedder
from whoknew.agents.models.model import EMBED, Reply, Request, Sampling, schema_of
from whoknew.agents.models.refusals import (
    LARGEST,
    NO_REPLY,
    no_reply,
    refused,
    shortened,
    too_large,
)
from whoknew.agents.models.schemas import Schemas
from whoknew.agents.models.usage import usage_of

_encode = msgspec.json.Encoder().encode


class ChoiceMessage(Struct, frozen=True, gc=False):
    content: str | None = None
    refusal: str | None = None


class Choice(Struct, frozen=True, gc=False):
    message: ChoiceMessage = ChoiceMessage()
    finish_reason: str | None = None


class Completion(Struct, frozen=True, gc=False):
    """As much of a reply as is read."""

    choices: list[Choice] = []
    usage: msgspec.Raw = msgspec.Raw()


_decode = msgspec.json.Decoder(Completion).decode


class ChatModel(ABC):
    """One model on one server. How bytes get there and back is left to each client."""

    most: str = "max_tokens"
    """What the server calls its limit of tokens."""

    def __init__(self, name: str, model: str) -> None:
        self.name, self._model, self._schemas = name, model, Schemas(name)
        self._embedder = Embedder(
            name, model, partial(self.post, "embeddings", largest=LARGEST_VECTORS)
        )

    async def complete(self, request: Request) -> Reply:
        if request.purpose == EMBED:
            return await self._embedder.complete(request)
        with_schema = self._schemas.sent_with(request)
        data = request_body(self._model, request, with_schema=with_schema, most=self.most)
        begun = perf_counter()
        status, headers, body = await self.post("chat/completions", data)
        if status == 200:
            return completed(self.name, body, perf_counter() - begun)
        if with_schema and self._schemas.refused(status, body):
            return await self.complete(request)
        raise refused(self.name, status, headers, body)

    @abstractmethod
    async def post(
        self, path: str, data: bytes, *, largest: int = LARGEST
    ) -> tuple[int, Any, bytes]:
        """The status, the headers and the body of what is answered at a path of the server, or a
        `ModelError`. What is longer than the `largest` need not be read to its end."""


def request_body(
    model: str, request: Request, *, with_schema: bool, most: str = "max_tokens"
) -> bytes:
    """A request in the OpenAI protocol."""
    answer = request.answer if with_schema else None
    rest = _beside_messages(request.sampling, answer, most)
    return _encode({"model": model, "messages": request.encoded, **rest})


@lru_cache(256)
def _beside_messages(
    sampling: Sampling, answer: type[Struct] | None, most: str
) -> Mapping[str, Any]:
    """What is sent with all requests that want their words chosen, and answers made, in one way."""
    rest = dict[str, Any]()
    for name in ("temperature", "top_p", "max_tokens", "seed"):
        if (value := getattr(sampling, name)) is not None:
            rest[most if name == "max_tokens" else name] = value
    if answer is not None:
        schema = {"name": answer.__name__, "schema": schema_of(answer)}
        rest["response_format"] = {"type": "json_schema", "json_schema": schema}
    return rest


def completed(name: str, body: bytes, seconds: float) -> Reply:
    """What a server said, as long as it is in the protocol."""
    if len(body) > LARGEST:
        raise BadReply(too_large(name))
    try:
        completion = _decode(body)
    except NO_REPLY as error:
        raise no_reply(name, error, body) from None
    if not completion.choices:
        raise BadReply(f"{name} sent a reply without a choice in it: {shortened(body)}")
    choice, usage = completion.choices[0], usage_of(completion.usage)
    ended = _ended(choice)
    return Reply(
        text=choice.message.content or choice.message.refusal or "",
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
        seconds=seconds,
        ended=ended,
    )


def _ended(choice: Choice) -> Any:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refused"
    return "length" if choice.finish_reason == "length" else "stop"
