"""Mem0 (`mem0ai`), with `infer` off: what happened goes in as it is, and no model draws facts out of it.

Its words are not searched: for that it would load `fastembed` and spaCy, which fetch their data from the
network. So it ranks by vectors alone, and finds nothing below its own threshold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from whoknew.agents.memories.vendors import VendorEntry, loaded

OWNER = "owner"
"""Whose all that is in a store is: it has one character's alone."""


class Mem0Entry(VendorEntry, frozen=True):
    """Mem0 itself, over what happened as it is (`infer` off); needs whoknew[vendors]"""

    package: ClassVar[str] = "mem0"

    def open(self, size: int) -> Mem0Store:
        return Mem0Store(size)


class Mem0Store:
    """Its Qdrant and its history are kept in memory. The key is none: nobody is asked."""

    def __init__(self, size: int) -> None:
        memory = _module()
        asking = {"provider": "openai", "config": {"api_key": "none"}}
        kept = {
            "path": ":memory:",
            "embedding_model_dims": size,
            "collection_name": OWNER,
        }
        self._memory = memory.Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": kept},
                "llm": asking,
                "embedder": asking,
                "history_db_path": ":memory:",
            }
        )
        self._memory.vector_store._bm25_encoder = False  # it would fetch one
        self._vectors = self._memory.embedding_model = AtHand()

    def add(self, place: int, text: str, vector: Sequence[float]) -> None:
        self._vectors.vector = vector
        self._memory.add(text, user_id=OWNER, metadata={"place": place}, infer=False)

    def search(self, text: str, vector: Sequence[float], k: int) -> list[tuple[int, float]]:
        self._vectors.vector = vector
        found = self._memory.search(text, top_k=k, filters={"user_id": OWNER})
        return [(one["metadata"]["place"], one["score"]) for one in found["results"]]


class AtHand:
    """Where a package asks for the vector of a text: it is on the log, and at hand."""

    vector: Sequence[float] = ()

    def embed(self, text: str, memory_action: str = "") -> Sequence[float]:
        return self.vector


@cache
def _module() -> Any:
    """What is used of it, once it is kept from telling its makers of each call, from a folder of its own
    in the user's home, and from fetching a model of language."""
    with TemporaryDirectory() as folder, _environment(MEM0_TELEMETRY="False", MEM0_DIR=folder):
        memory, telemetry, spacy = loaded(
            "mem0.memory.main", "mem0.memory.telemetry", "mem0.utils.spacy_models"
        )
    memory.MEM0_TELEMETRY = telemetry.MEM0_TELEMETRY = False  # it may have been loaded before
    spacy._load_failed_full = spacy._load_failed_lemma = True
    return memory


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
