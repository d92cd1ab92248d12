"""What happened lately and can be told of: who knows of it, and which words it holds."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Narrated, Traced
from whoknew.eventlog.words import terms

KEPT = 3000
"""So many events are kept, the newest: a play has about a thousand."""

HOLDING = 24
"""So many events are looked at for one word, the newest that hold it."""


YOUNG = 300
"""So many facts are counted on top: in a world that has just begun words are rare, too."""


class Happening:
    """An event that can be told of."""

    __slots__ = ("informed", "seq", "terms", "witnesses")

    def __init__(self, event: Event) -> None:
        self.seq = event.seq
        self.witnesses = frozenset(event.witnesses)
        self.informed: set[str] = set()
        self.terms = tuple(dict.fromkeys(terms(event.text)))

    def known_to(self, name: str) -> bool:
        """Whether it witnessed it, or was told of it."""
        return name in self.witnesses or name in self.informed


class Happenings:
    """The newest facts, by seq and by the words that they hold."""

    def __init__(self) -> None:
        self._kept: dict[int, Happening] = {}
        self._holding: dict[str, deque[int]] = {}

    def __getitem__(self, seq: int) -> Happening:
        return self._kept[seq]

    def add(self, event: Event) -> None:
        if not isinstance(event.body, Acted | Narrated | Traced) or not event.witnesses:
            return
        fact = self._kept[event.seq] = Happening(event)
        for term in fact.terms:
            self._holding.setdefault(term, deque()).append(fact.seq)
        if len(self._kept) > KEPT:
            self._drop(next(iter(self._kept)))

    def tell(self, seqs: Iterable[int], names: Iterable[str]) -> None:
        """From now on these know of those."""
        for seq in seqs:
            if fact := self._kept.get(seq):
                fact.informed.update(names)

    def rarest(self, words: Iterable[str], count: int) -> dict[str, float]:
        """Those words that some fact holds, the rarest first, each with its rarity in bits."""
        held = {word: len(self._holding[word]) for word in words if word in self._holding}
        rare = sorted(held, key=lambda word: (held[word], word))[:count]
        return {word: math.log2(1 + (len(self._kept) + YOUNG) / held[word]) for word in rare}

    def holding(self, term: str) -> Iterator[Happening]:
        """The newest facts that hold a word."""
        seqs = self._holding[term]
        for place in range(max(0, len(seqs) - HOLDING), len(seqs)):
            yield self._kept[seqs[place]]

    def _drop(self, seq: int) -> None:
        for term in self._kept.pop(seq).terms:
            seqs = self._holding[term]
            seqs.popleft()
            if not seqs:
                del self._holding[term]
