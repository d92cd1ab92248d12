"""LangMem: its two tools, to keep a memory and to search, over the store of LangGraph that is kept in
memory. Which memories to keep is left to a language model there; here each event is one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from whoknew.agents.memories.vendors import VendorEntry, loaded

NAMESPACE = ("memories",)
"""Where all that is in a store lies: it has one character's alone."""


class LangMemEntry(VendorEntry, frozen=True):
    """LangMem itself, over what happened as it is; needs whoknew[vendors]"""

    package: ClassVar[str] = "langmem"

    def open(self, size: int) -> LangMemStore:
        return LangMemStore(size)


class LangMemStore:
    def __init__(self, size: int) -> None:
        langmem, memory = _modules()
        self._vector: Sequence[float] = ()
        index = {"dims": size, "embed": self._embedded, "fields": ["content"]}
        store = memory.InMemoryStore(index=index)
        self._keep = langmem.create_manage_memory_tool(NAMESPACE, store=store).func
        self._search = langmem.create_search_memory_tool(
            NAMESPACE, store=store, response_format="content_and_artifact"
        ).func
        self._places = dict[str, int]()

    def add(self, place: int, text: str, vector: Sequence[float]) -> None:
        self._vector = vector
        told: str = self._keep(content=text)
        self._places[told.rpartition(" ")[2]] = place  # "created memory ID"

    def search(self, text: str, vector: Sequence[float], k: int) -> list[tuple[int, float]]:
        self._vector = vector
        _, found = self._search(text, limit=k)
        return [(self._places[one.key], one.score) for one in found]

    def _embedded(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """Where it asks for the vector of a text: it is on the log, and at hand."""
        return [self._vector for _ in texts]


@cache
def _modules() -> tuple[Any, Any]:
    langmem, memory = loaded("langmem", "langgraph.store.memory")
    return langmem, memory
