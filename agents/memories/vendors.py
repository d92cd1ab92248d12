"""Memories of others, as their packages are: behind one adapter, which tells them what is in the view and
nothing else.

A store of theirs belongs to one character. It is a fold of the view: what happened goes in word for word,
in order, with the vectors that stand on the log as notes; so it is made anew wherever it is lost. Theirs
is the search. Nothing leaves this machine by it, and nothing of it stays on a disk.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol

from msgspec import Meta

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadPart
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.vectors import KEEPER, Strategy, Vectors
from whoknew.agents.models.address import MINILM
from whoknew.agents.parts import Owner

if TYPE_CHECKING:
    import numpy

ROUNDED = 6
"""Digits of a score that count: the rest may hang on the machine."""

_one_thread = ThreadPoolExecutor(1, "vendor")
"""However many search at once: what packages do while they are loaded, and to the filters of warnings, is
for one thread. Who waits for it holds up no other thread."""

Held = tuple[int, str, "numpy.ndarray"]
"""A place in the view, what stands there, and its vector."""


class VendorStore(Protocol):
    """What a package keeps for one character."""

    def add(self, place: int, text: str, vector: Sequence[float]) -> None: ...

    def search(self, text: str, vector: Sequence[float], k: int) -> list[tuple[int, float]]:
        """The places of the `k` best, each with its score."""
        ...


class VendorMemory(Memory):
    """What a search in a vendor's store finds of earlier episodes, in the order in which it happened."""

    def __init__(self, entry: VendorEntry) -> None:
        self._entry, self._vectors = entry, Vectors(Strategy(embedder=entry.embedder))
        self._store: VendorStore | None = None
        self._upto = 0
        """The last place that is in the store."""

    async def recollect(self, now: Occasion) -> Recollection:
        view = now.view
        rows = dict(self._vectors.between(now, self._upto, now.before))
        events = await view.pick(list(rows))
        new = [
            (place, event.text, row)
            for (place, row), event in zip(rows.items(), events, strict=True)
        ]
        if not (new or self._store) or not now.about.strip():
            return Recollection()
        asked = await self._vectors.asked(now)
        if not asked.any():
            return (
                Recollection()
            )  # nothing is near to what says nothing; LangGraph divides by its length
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(_one_thread, self._searched, new, now.about, asked)
        except Exception as error:
            raise BadPart(
                f"{self._entry.package} broke off: {type(error).__name__}: {error}"
            ) from error
        best = sorted(found, key=lambda one: (-round(one[1], ROUNDED), one[0]))
        ranks = {place: -rank for rank, (place, _) in enumerate(best)}
        places = sorted(ranks)
        return recollection(
            [
                Piece(line(place, event), (place,), ranks[place])
                for place, event in zip(places, await view.pick(places), strict=True)
            ],
            now.budget,
        )

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        return await self._vectors.remember(now)

    def _searched(
        self, new: Sequence[Held], about: str, asked: numpy.ndarray
    ) -> list[tuple[int, float]]:
        """What is new goes in first. Each search takes a while, and so it is made beside the loop."""
        store = self._store or self._entry.open(len(asked))
        self._store = store
        for place, text, row in new:
            store.add(place, text, row.tolist())
            self._upto = place
        return store.search(about, asked.tolist(), self._entry.k)


class VendorEntry(MemoryEntry, frozen=True):
    """A memory that a package brings; needs whoknew[vendors]."""

    recalls: ClassVar[tuple[str, ...]] = ("k",)
    keeper: ClassVar[str] = KEEPER
    calls_a_turn: ClassVar[int] = 1
    vectors_a_turn: ClassVar[int] = 1
    calls_an_episode: ClassVar[int] = 1
    vectors_an_episode: ClassVar[int] = 1
    package: ClassVar[str] = ""
    """What is to be imported."""

    k: Annotated[int, Meta(ge=1)] = 10
    """So many events come to mind at once."""
    embedder: Annotated[str, Meta(min_length=1)] = MINILM  # type: ignore[misc]
    """The address of a model that gives vectors, as "minilm:" or "http://HOST/v1#NAME"."""

    def check_here(self) -> None:
        if not installed(self.package):
            raise BadPart(f"{self.package} is not installed: pip install 'whoknew[vendors]'")

    @property
    def keeps(self) -> str:  # type: ignore[override]
        return Strategy(embedder=self.embedder).name

    def make(self, owner: Owner) -> VendorMemory:
        self.check_here()
        return VendorMemory(self)

    def open(self, size: int) -> VendorStore:
        """An empty store, for vectors of so many numbers."""
        raise NotImplementedError


def installed(package: str) -> bool:
    """Whether there is a package: looked for, not loaded."""
    return find_spec(package) is not None


def loaded(*modules: str) -> list[Any]:
    """Modules of a package, whatever they have to say while they are loaded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [import_module(module) for module in modules]
