"""Finds lines that hold what whoever spoke them could not know, by rule.

A line gives an event away if they share words, and words side by side, that stand nowhere in what the
speaker had witnessed or been told of by then. How much that says depends on how rare these words are in
the world, and on how much of the line they are. Only what is rare is looked at, so the time for a line
does not grow with the world.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import chain, pairwise

from msgspec import Struct

from whoknew.engine.finding.seq_index import SeqIndex
from whoknew.engine.finding.verbatim import (
    MEANING,
    VerbatimFinder,
    VerbatimRun,
    said,
    shingles,
)
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import (
    Acted,
    EpisodeOpened,
    GoalGiven,
    Kind,
    Narrated,
    Printed,
    Traced,
)
from whoknew.eventlog.words import STOP_WORDS, stems, terms, words

GIVEN_AWAY = (Acted, Narrated, Printed, Traced, EpisodeOpened, GoalGiven)
"""What can be given away."""

ECHOES = (Acted, Traced)
"""What may repeat a line that was said before. Of two who say the same without having heard each other
it is the later who cannot have known."""

RARE, RARE_PAIR = 40, 8
"""What stands in more events is known to many: a word, and two words side by side."""

YOUNG = 300
"""So many events are counted on top: in a world that has just begun words are rare, too."""

MOST = 200
"""So many events are held against a line: those that share most with it."""

FEWEST = 4
"""A line and an event that share fewer words are alike by chance."""

OF_WORDS, OF_LATER = 0.5, 0.75
"""What new words count, beside words side by side; and what all of it counts where the event comes
later: among so many more a few are alike by chance."""

EVEN, STEEP = 16.0, 4.0
"""The bits that are as likely a leak as not, and by how many more it is much surer. Of 3,662 lines of
four plays and three worlds as they are 1 has more; of unseen lines that were put into mouths there in
other words 87 in 100 are found, and of a hundred that have 99 are such (`tests/data/test_leaks.py`)."""

MOSTLY = 0.5
"""So much of a line has to be word for word what its speaker has nowhere heard."""

SUREST = 0.99
"""A rule is never quite sure."""

NEVER = 10**12

UNHEARD = -1
"""Stands for a stem that no event holds."""

STEMS = 2**31
"""Of more than so many different words no world is made: two of them make one number."""


class SpokenLine(Struct, frozen=True):
    """What somebody said, thought or answered, of which it could know what had happened up to a seq.
    `seq` is that of the line itself. What it was `asked` it may repeat: no word of that is news."""

    seq: int
    who: str
    text: str
    upto: int
    asked: str = ""


class Leak(Struct, frozen=True, kw_only=True):
    """That a line gives away the event at the seq `fact`. `later`: it had not happened yet. `phrases` are
    what of it the line says."""

    line: SpokenLine
    fact: int
    later: bool
    score: float
    phrases: tuple[str, ...]


class _Read:
    """What is kept of an event: of which kind it is, its stems in order, who witnessed it."""

    __slots__ = ("kind", "stems", "witnesses")

    def __init__(self, kind: type[Kind], spoken: array[int], witnesses: frozenset[str]) -> None:
        self.kind, self.stems, self.witnesses = kind, spoken, witnesses


class LeakFinder:
    """Looks at lines of a world, upon all that it has read of what happened there. `told` says of each
    character which events it was told of, and when first."""

    def __init__(self, events: Iterable[Event], told: Mapping[str, Mapping[int, int]]) -> None:
        self._told = told
        self._read: dict[int, _Read] = {}
        self._numbers: dict[str, int] = {}
        """Of each stem its own."""
        self._holding: list[array[int]] = []
        """By the number of a stem, the events that hold it."""
        self._beside = SeqIndex(RARE_PAIR)
        self._parties: dict[tuple[str, ...], frozenset[str]] = {}
        self._verbatim = VerbatimFinder()
        for event in events:
            self.read(event)

    def read(self, event: Event) -> None:
        """Read on: in a time that does not grow with the world."""
        if not event.body.words:
            return
        self._verbatim.read(event)
        witnesses = self._parties.setdefault(event.witnesses, frozenset(event.witnesses))
        spoken = array("I", map(self._number, stems(words(event.body.words))))
        self._read[event.seq] = _Read(type(event.body), spoken, witnesses)
        for stem in set(spoken):
            self._holding[stem].append(event.seq)
        self._beside.add(_pairs(spoken), event.seq)

    def _number(self, stem: str) -> int:
        number = self._numbers.setdefault(stem, len(self._holding))
        if number == len(self._holding):
            self._holding.append(array("I"))
        return number

    def look(self, line: SpokenLine) -> Leak | None:
        """What a line gives away most surely, if there is anything."""
        return self._word_for_word(line) or self._in_other_words(line)

    def _word_for_word(self, line: SpokenLine) -> Leak | None:
        """An event of which the line says so much in its own words that it is most of the line."""
        found: dict[int, list[VerbatimRun]] = defaultdict(list)
        knows = partial(self._knows, line.who, upto=line.upto)
        tells = partial(self._can_be_given_away, line)
        asked, shown = frozenset(terms(line.asked)), (line.asked,)
        for run in self._verbatim.runs(
            said(line.text), knows, lambda: shown, tells=tells, but=line.seq
        ):
            if not asked or len({*terms(" ".join(run.words))} - asked) >= MEANING:
                found[run.seq].append(run)
        if not found:
            return None
        news, seq = max((sum(run.places for run in runs), -seq) for seq, runs in found.items())
        own = set(shingles(said(line.asked)))
        whole = sum(one not in own for one in shingles(said(line.text)))
        if news < MOSTLY * whole:
            return None
        return Leak(
            line=line,
            fact=-seq,
            later=-seq > line.upto,
            score=SUREST,
            phrases=tuple(" ".join(run.words) for run in found[-seq][:3]),
        )

    def _in_other_words(self, line: SpokenLine) -> Leak | None:
        said = _Said(terms(line.text), self._numbers, frozenset(terms(line.asked)))
        if len(said.stems) + said.unheard < FEWEST:
            return None
        pairs = dict(zip(said.pairs, self._beside.holding(said.pairs), strict=True))
        new = {stem: self._bits(stem) for stem in said.stems if self._is_new(stem, line)}
        beside = {
            pair: sum(map(self._bits, divmod(pair, STEMS))) / 2
            for pair, holding in pairs.items()
            if holding and not self._is_known(holding, line)
        }
        whole = sum(map(self._bits, said.stems)) + said.unheard * self._bits(None)
        best, most = 0, 0.0
        shared = self._shared(new, beside, pairs)
        for seq in nsmallest(MOST, shared, key=lambda seq: (-_at_most(*shared[seq]), seq)):
            if _at_most(*shared[seq]) <= most:
                break
            bits = self._weighed(line, said, seq, *shared[seq], whole)
            if bits > most:
                bits *= self._news(seq, pairs, beside)
            if bits > most:
                best, most = seq, bits
        if not best:
            return None
        return Leak(
            line=line,
            fact=best,
            later=best > line.upto,
            score=min(SUREST, round(1 / (1 + math.exp((EVEN - most) / STEEP)), 3)),
            phrases=_phrases(line.text, said.words_of(self._telling(best, new, beside))),
        )

    def _shared(
        self,
        new: Mapping[int, float],
        beside: Mapping[int, float],
        pairs: Mapping[int, Sequence[int]],
    ) -> dict[int, tuple[float, float]]:
        """The bits that each event shares with a line: of words, and of words side by side."""
        found: dict[int, tuple[float, float]] = {}
        for stem, bits in new.items():
            for seq in self._holding[stem]:
                of_words, of_pairs = found.get(seq, (0.0, 0.0))
                found[seq] = of_words + bits, of_pairs
        for pair, bits in beside.items():
            for seq in pairs[pair]:
                of_words, of_pairs = found.get(seq, (0.0, 0.0))
                found[seq] = of_words, of_pairs + bits
        return found

    def _weighed(
        self,
        line: SpokenLine,
        said: _Said,
        seq: int,
        of_words: float,
        of_pairs: float,
        whole: float,
    ) -> float:
        """How much speaks for it, in bits, that a line of so many as a whole gives away an event: nothing
        if it cannot."""
        if not self._can_be_given_away(line, seq):
            return 0.0
        shared = sorted(said.stems.keys() & set(self._read[seq].stems))
        if len(shared) < FEWEST:
            return 0.0
        part = sum(map(self._bits, shared)) / whole
        bits = OF_WORDS * of_words * part + of_pairs * math.sqrt(part)
        return bits * (OF_LATER if seq > line.upto else 1.0)

    def _can_be_given_away(self, line: SpokenLine, seq: int) -> bool:
        """Whether an event is one that its speaker does not know, and that a line can give away."""
        read = self._read[seq]
        if seq == line.seq or not issubclass(read.kind, GIVEN_AWAY):
            return False
        if self._knows(line.who, seq, line.upto) or line.who in read.witnesses:
            return False
        later = seq > line.upto
        return not (later and line.seq in self._read and issubclass(read.kind, ECHOES))

    def _news(
        self, seq: int, pairs: Mapping[int, Sequence[int]], beside: Mapping[int, float]
    ) -> float:
        """How much of what a line and an event share is new to the speaker, who may tell in the same
        words of what it knew."""
        shared = [pair for pair in _pairs(self._read[seq].stems) if seq in pairs.get(pair, ())]
        return sum(pair in beside for pair in shared) / len(shared) if shared else 1.0

    def _knows(self, who: str, seq: int, upto: int) -> bool:
        """Whether somebody had witnessed an event, or been told of it, by then."""
        read = self._read.get(seq)
        if read is not None and seq <= upto and who in read.witnesses:
            return True
        return self._told.get(who, {}).get(seq, NEVER) <= upto

    def _is_new(self, stem: int, line: SpokenLine) -> bool:
        holding = self._holding[stem]
        return len(holding) <= RARE and not self._is_known(holding, line)

    def _is_known(self, holding: Sequence[int], line: SpokenLine) -> bool:
        """Whether what stands in these events had come to the speaker otherwise than by the line."""
        return any(seq != line.seq and self._knows(line.who, seq, line.upto) for seq in holding)

    def _bits(self, stem: int | None) -> float:
        holding = 1 if stem is None else len(self._holding[stem])
        return math.log2(1 + (len(self._read) + YOUNG) / holding)

    def _telling(self, seq: int, new: Iterable[int], beside: Iterable[int]) -> set[int]:
        """The stems of a line by which it gives an event away."""
        read = self._read[seq].stems
        held, together = set(read), _pairs(read)
        return {stem for stem in new if stem in held}.union(
            *[divmod(pair, STEMS) for pair in beside if pair in together]
        )


class _Said:
    """A line in numbers, but for what it was asked: its stems, with their words, its pairs; and how many of
    its stems the world has not heard."""

    def __init__(
        self, spoken: Sequence[str], numbers: Mapping[str, int], asked: frozenset[str]
    ) -> None:
        own = set(spoken) - asked
        self.stems = {numbers[stem]: stem for stem in sorted(own) if stem in numbers}
        places = [UNHEARD if stem in asked else numbers.get(stem, UNHEARD) for stem in spoken]
        self.pairs = sorted(_pairs(places))
        self.unheard = len(own) - len(self.stems)

    def words_of(self, stems: Iterable[int]) -> set[str]:
        return {self.stems[stem] for stem in stems}


def _at_most(of_words: float, of_pairs: float) -> float:
    """More bits than that have no event that shares these with a line."""
    return OF_WORDS * of_words + of_pairs


def _pairs(spoken: Sequence[int]) -> set[int]:
    """Words side by side, or with one between: whoever tells something again leaves words out."""
    together = chain(pairwise(spoken), zip(spoken, spoken[2:], strict=False))
    return {one * STEMS + other for one, other in together if UNHEARD not in (one, other)}


def _phrases(text: str, telling: set[str]) -> tuple[str, ...]:
    """Where these stand in a text: runs of words, the longest first."""
    return tuple(sorted(set(_runs(text, telling)), key=lambda run: (-len(run), run))[:3])


def _runs(text: str, telling: set[str]) -> Iterator[str]:
    run: list[str] = []
    between: list[str] = []
    for word in words(text):
        if word in STOP_WORDS:
            between.append(word)
        elif telling.issuperset(stems([word])):
            if run:
                run += between
            run.append(word)
            between = []
        else:
            if run:
                yield " ".join(run)
            run, between = [], []
    if run:
        yield " ".join(run)
