"""What happened lately and can be told of: who knows of it, and what it holds."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator

from whoknew.engine.finding.company import Company
from whoknew.engine.finding.concepts import concepts
from whoknew.eventlog import Event
from whoknew.eventlog.words import terms, words

KEPT = 3000
"""So many events are kept, the newest: a play has about a thousand."""

HOLDING = 24
"""So many events are looked at for one word, the newest that hold it."""

YOUNG = 300
"""So many happenings are counted on top: in a world that has just begun words are rare, too."""

USUAL = 8
"""So many stems a happening usually has: a long one holds any word sooner."""


class Happening:
    """An event that can be told of. `informed`: who was told of it, and how surely."""

    __slots__ = (
        "actor",
        "concepts",
        "episode",
        "informed",
        "mentioned",
        "pairs",
        "place",
        "seq",
        "stems",
        "text",
        "weight",
        "witnesses",
    )

    def __init__(self, event: Event, place: int, people: Company) -> None:
        spoken = words(event.body.words)
        stems = dict.fromkeys(terms(event.body.words))
        self.seq, self.place, self.episode = event.seq, place, event.episode
        self.actor = event.actor or ""
        self.text = event.body.words
        self.witnesses = frozenset(event.witnesses)
        self.informed: dict[str, float] = {}
        self.mentioned = people.mentioned(spoken)
        self.stems = [stem for stem in stems if stem not in people.stems]
        self.concepts = concepts(stems)
        self.pairs = frozenset(itertools.pairwise(spoken))
        self.weight = 1 / (0.4 + 0.6 * len(self.stems) / USUAL)

    def known_to(self, name: str) -> bool:
        """Whether it witnessed it, or was more likely than not told of it."""
        return name in self.witnesses or self.informed.get(name, 0.0) >= 0.5


class Happenings:
    """The newest, by place; and by what they hold: stems, `#` and a concept, `@` and their actor."""

    def __init__(self) -> None:
        self.next = 0
        self._kept: dict[int, Happening] = {}
        self._places: dict[int, int] = {}
        self._holding: dict[str, deque[int]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, place: int) -> Happening:
        return self._kept[place]

    def get(self, place: int) -> Happening | None:
        return self._kept.get(place)

    def add(self, event: Event, people: Company) -> int:
        one = Happening(event, self.next, people)
        self.next += 1
        self._kept[one.place] = one
        self._places[one.seq] = one.place
        for key in _keys(one):
            try:
                self._holding[key].append(one.place)
            except KeyError:
                self._holding[key] = deque((one.place,))
        if len(self._kept) > KEPT:
            self._drop(one.place - KEPT)
        return one.place

    def inform(self, seq: int, names: Iterable[str], score: float = 1.0) -> None:
        """From now on these know of that."""
        if (place := self._places.get(seq)) is not None:
            informed = self._kept[place].informed
            for name in names:
                informed[name] = max(score, informed.get(name, 0.0))

    def rarest(self, keys: Iterable[str], count: int) -> list[tuple[float, str]]:
        """Those that something holds, the rarest first, each with its rarity in bits."""
        holding = self._holding
        held = sorted((len(holding[key]), key) for key in keys if key in holding)
        return [(self._bits(often), key) for often, key in held[:count]]

    def holding(self, key: str, count: int = HOLDING) -> list[int]:
        """The places of the newest that hold it."""
        places = self._holding[key]
        return [places[n] for n in range(max(0, len(places) - count), len(places))]

    def _bits(self, often: int) -> float:
        return math.log2(1 + (len(self._kept) + YOUNG) / often)

    def _drop(self, place: int) -> None:
        old = self._kept.pop(place)
        del self._places[old.seq]
        for key in _keys(old):
            places = self._holding[key]
            places.popleft()
            if not places:
                del self._holding[key]


def _keys(one: Happening) -> Iterator[str]:
    yield from one.stems
    if one.actor:
        yield f"@{one.actor}"
    for concept in one.concepts:
        yield f"#{concept}"
