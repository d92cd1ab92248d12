"""Vectors of texts by the OpenAI protocol, `/embeddings`: what is sent, and what is read of what comes back.

They are asked for as base64, a third as long as numbers written out; a server that does not know that
sends numbers, and both are read. One that takes fewer texts at once is sent halves from then on.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadReply
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.refusals import NO_REPLY, no_reply, refused, too_large
from whoknew.agents.models.usage import usage_of
from whoknew.agents.models.vectors import packed

if TYPE_CHECKING:
    import numpy

LARGEST = 32 * 2**20
"""So long are 256 vectors of 4,096 numbers, each written out in full."""

LONGEST = 8_000
"""Characters. Of a longer text the beginning is sent: models read so many tokens at most, or fewer."""

TOO_MANY = (400, 413, 422)
"""What a server answers that takes fewer texts at once, or fewer tokens."""

Post = Callable[[bytes], Awaitable[tuple[int, Any, bytes]]]


class Embedding(Struct, frozen=True, gc=False):
    index: int
    embedding: list[float] | str


class Embeddings(Struct, frozen=True, gc=False):
    """As much of a reply as is read."""

    data: list[Embedding]
    usage: msgspec.Raw = msgspec.Raw()


_decode = msgspec.json.Decoder(Embeddings).decode


class Embedder:
    """One model that gives vectors, on one server. How bytes get there and back is given."""

    def __init__(self, name: str, model: str, post: Post) -> None:
        self._name, self._model, self._post = name, model, post
        self._most: int | None = None
        """So many texts the server takes at once, as far as is known."""

    async def complete(self, request: Request) -> Reply:
        begun = perf_counter()
        texts = [message.text[:LONGEST] for message in request.messages]
        rows, tokens = await self._embedded(texts)
        if len({len(row) for row in rows}) > 1:
            raise BadReply(f"{self._name} sent vectors of different lengths for one request")
        return Reply(
            text=packed(rows), tokens_in=tokens, tokens_out=0, seconds=perf_counter() - begun
        )

    async def _embedded(self, texts: Sequence[str]) -> tuple[list[numpy.ndarray], int | None]:
        """A vector of each text, and how many tokens the server counted."""
        if self._most is not None and len(texts) > self._most:
            return await self._in_parts(texts, self._most)
        status, headers, body = await self._post(self._body(texts))
        if status == 200:
            return await asyncio.to_thread(embedded, self._name, body, len(texts))
        if status in TOO_MANY and len(texts) > 1:
            found = await self._in_parts(texts, half := -(-len(texts) // 2))
            self._most = min(half, self._most or half)  # only where that went well
            return found
        raise refused(self._name, status, headers, body)

    async def _in_parts(
        self, texts: Sequence[str], size: int
    ) -> tuple[list[numpy.ndarray], int | None]:
        rows, tokens = list[Any](), list[int | None]()
        for start in range(0, len(texts), size):
            some, counted = await self._embedded(texts[start : start + size])
            rows += some
            tokens.append(counted)
        known = [one for one in tokens if one is not None]
        return rows, sum(known) if len(known) == len(tokens) else None

    def _body(self, texts: Sequence[str]) -> bytes:
        return msgspec.json.encode(
            {"model": self._model, "input": texts, "encoding_format": "base64"}
        )


def embedded(name: str, body: bytes, count: int) -> tuple[list[numpy.ndarray], int | None]:
    """What a server gave for so many texts, in their order: each vector of length 1."""
    if len(body) > LARGEST:
        raise BadReply(too_large(name, LARGEST))
    try:
        found = _decode(body)
        by_index = {one.index: one.embedding for one in found.data}
        if len(found.data) != count or sorted(by_index) != list(range(count)):
            raise BadReply(f"{name} sent {len(found.data)} vectors for {count} texts")
        rows = [_row(name, by_index[number]) for number in range(count)]
    except NO_REPLY as error:
        raise no_reply(name, error, body) from None
    return rows, usage_of(found.usage).prompt_tokens


def _row(name: str, told: list[float] | str) -> numpy.ndarray:
    import numpy

    if isinstance(told, str):
        row = numpy.frombuffer(b64decode(told, validate=True), "<f4").astype(numpy.float64)
    else:
        row = numpy.asarray(told, dtype=numpy.float64)
    if not len(row):
        raise BadReply(f"{name} sent a vector without a number in it")
    largest = numpy.abs(row).max()
    if not numpy.isfinite(largest):
        raise BadReply(f"{name} sent a vector that holds what is no number")
    row = row / (largest or 1.0)  # its length may have no bounds
    found: numpy.ndarray = row / (numpy.linalg.norm(row) or 1.0)
    return found
