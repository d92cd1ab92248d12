"""What happened lately and can be told of: who knows of it, and what it holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakValueDictionary

from whoknew.engine.finding.clues import Delivery
from whoknew.engine.finding.sentences import Sentence, telling_pairs
from whoknew.eventlog import Event

YOUNG = 300
"""So many happenings are counted on top: in a world that has just begun words are rare, too."""

USUAL = 8
"""So many stems a happening usually has: a long one holds any word sooner."""


class Party:
    """Those who witnessed something together.

    The rest is about the speech that they `met` last: `unaware` is the share of its hearers who are
    not among them, `addressed` whether whoever spoke before it is one of these, and `knew` whether its
    teller, or somebody whom the teller has it from, is among them. `prior` is how much all of that
    speaks for a telling, before any words are compared.
    """

    __slots__ = (
        "__weakref__",
        "addressed",
        "alone",
        "bits",
        "knew",
        "met",
        "prior",
        "unaware",
        "witnesses",
    )

    def __init__(self, witnesses: frozenset[str], bits: int) -> None:
        self.witnesses, self.bits = witnesses, bits
        self.alone = float(len(witnesses) == 1)
        self.met: Delivery | None = None
        self.unaware = self.addressed = self.knew = self.prior = 0.0

    def meet(self, delivery: Delivery) -> None:
        self.met = delivery
        unaware = delivery.hearing & ~self.bits
        self.unaware = unaware.bit_count() / len(delivery.hearers)
        self.knew = float(self.bits & delivery.telling != 0)
        self.addressed = float(unaware & delivery.addressed != 0)
        self.prior = 5 * self.knew + 3 * self.unaware + 2 * self.addressed - 2 * self.alone

    def to(self, delivery: Delivery) -> str:
        """One of those unaware, whom the teller speaks to."""
        if self.addressed and delivery.addressee:
            return delivery.addressee
        return next(name for name in delivery.hearers if name not in self.witnesses)


class Happening:
    """An event that can be told of: it `holds` stems and concepts. `informed`: who was told of it, and
    how surely."""

    __slots__ = (
        "actor",
        "episode",
        "heard_by",
        "holds",
        "informed",
        "mentioned",
        "pairs",
        "party",
        "place",
        "seq",
        "weight",
        "words",
    )

    def __init__(
        self,
        *,
        event: Event,
        said: Sequence[Sentence],
        mentioned: dict[str, float],
        names: set[str],
        place: int,
        party: Party,
    ) -> None:
        self.words = [word for sentence in said for word in sentence.words]
        self.seq, self.place, self.episode = event.seq, place, event.episode
        self.actor = event.actor or ""
        self.party, self.heard_by = party, party.bits
        self.informed: dict[str, float] = {}
        self.mentioned = mentioned
        stems = {stem for sentence in said for stem in sentence.stems} - names
        self.holds = stems.union(*[sentence.concepts for sentence in said])
        self.pairs = said[0].pairs if len(said) == 1 else telling_pairs(self.words)
        self.weight = 1 / (0.4 + 0.6 * len(stems) / USUAL)

    def known_to(self, name: str) -> bool:
        """Whether it witnessed it, or was more likely than not told of it."""
        return name in self.party.witnesses or self.informed.get(name, 0.0) >= 0.5


class Happenings:
    """The newest, by place; and by what they hold: stems, concepts, `@` and their actor."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.next = 0
        self._kept: dict[int, Happening] = {}
        self._by_seq: dict[int, Happening] = {}
        self._holding: dict[str, list[Happening]] = {}
        self._parties: WeakValueDictionary[frozenset[str], Party] = WeakValueDictionary()
        self._bits: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, place: int) -> Happening | None:
        return self._kept.get(place)

    def add(
        self,
        event: Event,
        said: Sequence[Sentence],
        mentioned: dict[str, float],
        names: set[str],
    ) -> int:
        """One more, that mentions these people; `names` are the stems of all of them."""
        one = Happening(
            event=event,
            said=said,
            mentioned=mentioned,
            names=names,
            place=self.next,
            party=self._party(event),
        )
        self.next += 1
        self._kept[one.place] = self._by_seq[one.seq] = one
        for key in _keys(one):
            try:
                self._holding[key].append(one)
            except KeyError:
                self._holding[key] = [one]
        if len(self._kept) > self._most:
            self._drop(one.place - self._most)
        return one.place

    def inform(self, seq: int, names: Iterable[str], score: float = 1.0) -> None:
        """From now on these know of that."""
        if (one := self._by_seq.get(seq)) is not None:
            for name in names:
                one.informed[name] = max(score, one.informed.get(name, 0.0))

    def rarest(self, keys: Iterable[str], count: int) -> dict[str, float]:
        """Those that something holds, the rarest first, each with its rarity in bits."""
        holding, among = self._holding, len(self._kept) + YOUNG
        held = sorted((len(holding[key]), key) for key in keys if key in holding)
        return {key: math.log2(1 + among / often) for often, key in held[:count]}

    def newest(self, key: str, count: int) -> Sequence[Happening]:
        """Those that hold it, the newest first."""
        return self._holding[key][: -count - 1 : -1]

    def bits(self, names: Iterable[str]) -> int:
        """These people, each as a bit of its own."""
        bits = 0
        for name in names:
            bits |= self._bits.setdefault(name, 1 << len(self._bits))
        return bits

    def _party(self, event: Event) -> Party:
        witnesses = frozenset(event.witnesses)
        party = self._parties.get(witnesses)
        if party is None:
            party = self._parties[witnesses] = Party(witnesses, self.bits(witnesses))
        return party

    def _drop(self, place: int) -> None:
        old = self._kept.pop(place)
        del self._by_seq[old.seq]
        for key in _keys(old):
            holding = self._holding[key]
            del holding[0]
            if not holding:
                del self._holding[key]


def _keys(one: Happening) -> Iterator[str]:
    yield from one.holds
    if one.actor:
        yield f"@{one.actor}"
