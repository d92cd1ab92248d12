"""What a speech may tell of: the happenings that share most with it, and what speaks for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.engine.finding.clues import Delivery, Whether, Which
from whoknew.engine.finding.company import Company
from whoknew.engine.finding.concepts import DEADLY
from whoknew.engine.finding.happenings import Happening, Happenings
from whoknew.engine.finding.sentences import Sentence

RAREST = 5
"""So many stems of a sentence, the rarest, are looked up; and so many of a question that it answers."""

HOLDING, AMONG = 6, 30
"""So many happenings are looked at for one word: the newest that a hearer missed, among so many."""

BY_NAME = 6
"""So many of the last deeds of somebody who is named are looked at."""

LOOKED_AT, FURTHER = 7, 4
"""So many happenings at most are looked at for a speech, and so many more for each sentence but one."""

Named = dict[str, float]
"""Of whom a sentence speaks, and how surely."""


class Clause:
    """A sentence of a speech: whom it names, and its rarest stems and concepts with their bits."""

    __slots__ = ("concepts", "keys", "named", "sentence", "stems")

    def __init__(self, sentence: Sentence, named: Named, people: Company, kept: Happenings) -> None:
        self.sentence, self.named = sentence, named
        self.stems = kept.rarest(people.nameless(sentence.stems), RAREST)
        self.concepts = kept.rarest(sentence.concepts, RAREST)
        self.keys = {*self.stems, *self.concepts}


class Overlap(Struct, frozen=True):
    """What a sentence shares with a happening, in bits: of words and the rarest of them, of what both
    speak of; and whether it names who did it."""

    clause: Clause
    words: float = 0.0
    rarest: float = 0.0
    concepts: float = 0.0
    by_named: float = 0.0

    def weighed(self, one: Happening) -> float:
        """Of the words, held against how long the happening is."""
        return math.log2(1 + self.words * one.weight)


class Candidate(Struct, frozen=True):
    """A happening that a sentence may tell of, with the clues."""

    happening: Happening
    overlap: Overlap
    which: Which
    delivery: Delivery

    def whether(self, best: float) -> Whether:
        """The clues to whether it is told, and anything at all: it is spoken for so well."""
        happening, overlap, delivery = self.happening, self.overlap, self.delivery
        sentence, words = overlap.clause.sentence, overlap.weighed(happening)
        return Whether(
            best=best,
            words=words,
            words_past=min(1.5, sentence.past) * words,
            words_knew=self.which.words_knew,
            by_named=overlap.by_named,
            named=_involved(happening, overlap.clause.named),
            knew=self.which.knew,
            scenes=min(6, delivery.episode - happening.episode),
            reports=float(sentence.reports),
            past=sentence.past,
            second=sentence.second,
            third=sentence.third,
            asks=float(sentence.asks),
            answers=float(delivery.answers),
            news=float(delivery.news),
        )


class Candidates:
    """Those of one speech."""

    def __init__(
        self,
        people: Company,
        kept: Happenings,
        delivery: Delivery,
        said: Sequence[Sentence],
        named: Sequence[Named],
    ) -> None:
        self._people, self._kept, self._delivery = people, kept, delivery
        self._clauses = [
            Clause(sentence, whom, people, kept) for sentence, whom in zip(said, named, strict=True)
        ]
        self.found = [self._candidate(one) for one in self._nearest()]

    def _nearest(self) -> list[Happening]:
        """What shares most of all that some hearer missed."""
        nearness = self._nearness()
        count = LOOKED_AT + FURTHER * (len(self._clauses) - 1)
        return sorted(nearness, key=nearness.__getitem__, reverse=True)[:count]

    def _nearness(self) -> dict[Happening, float]:
        """Enough to leave out what shares least."""
        near: dict[Happening, float] = {}
        kept, hearing = self._kept, self._delivery.hearing
        for key, bits, count in self._ways():
            weighed = key[0] not in "#@"
            for one in kept.newest(key, AMONG):
                if one.heard_by & hearing != hearing:
                    before = near[one] if one in near else self._prior(one)
                    near[one] = before + (bits * one.weight if weighed else bits)
                    count -= 1
                    if not count:
                        break
        return near

    def _prior(self, one: Happening) -> float:
        """How near it is before anything that it holds is looked at."""
        party = one.party
        if party.met is not self._delivery:
            party.meet(self._delivery)
        return party.prior - 0.4 * math.log2(self._kept.next + 1 - one.place)

    def _ways(self) -> Iterator[tuple[str, float, int]]:
        """What leads to a happening, with what that is worth, and how many of the newest are looked at."""
        kept = self._kept
        asked = {stem for one in self._delivery.question for stem in one.stems}
        for key, bits in kept.rarest(self._people.nameless(asked), RAREST).items():
            yield key, 0.4 * bits, HOLDING
        for clause in self._clauses:
            for key, bits in clause.stems.items():
                yield key, bits, HOLDING
            for key, bits in clause.concepts.items():
                yield key, 0.6 * bits, HOLDING
            for key in kept.rarest([f"@{name}" for name in clause.named], RAREST):
                yield key, 3.0 * clause.named[key[1:]], BY_NAME

    def _candidate(self, one: Happening) -> Candidate:
        """It, by the sentence that shares most with it."""
        best, most, whole = Overlap(self._clauses[0]), 0.0, 0.0
        for clause in self._clauses:
            if clause.keys.isdisjoint(one.holds) and one.actor not in clause.named:
                continue
            overlap = _overlap(clause, one)
            whole += overlap.words + 0.5 * overlap.concepts
            near = overlap.words * one.weight + 0.6 * overlap.concepts + 3.0 * overlap.by_named
            if near > most:
                best, most = overlap, near
        return Candidate(one, best, self._which(one, best, whole), self._delivery)

    def _which(self, one: Happening, overlap: Overlap, whole: float) -> Which:
        delivery, party = self._delivery, one.party
        teller, sources = delivery.teller, delivery.sources
        knew = one.known_to(teller) or (bool(sources) and any(map(one.known_to, sources)))
        since = self._people.said_since(one.place + 1, teller, party.to(delivery))
        return Which(
            shared=math.log2(1 + overlap.words),
            whole=math.log2(1 + whole),
            words_knew=overlap.weighed(one) if knew else 0.0,
            rarest=overlap.rarest,
            concepts=overlap.concepts,
            run=len(one.pairs & overlap.clause.sentence.pairs) if overlap.words else 0.0,
            by_named=overlap.by_named,
            unaware=party.unaware,
            addressed=party.addressed,
            since=math.log2(1 + since),
            knew=1.0 if knew else 0.0,
            age=math.log2(1 + self._kept.next - one.place),
            alone=party.alone,
            deadly=1.0 if DEADLY in one.holds else 0.0,
        )


def _overlap(clause: Clause, one: Happening) -> Overlap:
    holds = one.holds
    shared = [bits for stem, bits in clause.stems.items() if stem in holds]
    both = [bits for concept, bits in clause.concepts.items() if concept in holds]
    by_named = clause.named.get(one.actor, 0.0)
    return Overlap(clause, sum(shared), shared[0] if shared else 0.0, sum(both), by_named)


def _involved(one: Happening, named: Named) -> float:
    """Whom a sentence names besides who acted, that have to do with it."""
    found = 0.0
    for name, sure in named.items():
        if name != one.actor and (name in one.mentioned or name in one.party.witnesses):
            found += sure
    return min(2.0, found)
