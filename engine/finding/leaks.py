"""Finds lines that hold what whoever spoke them could not know, by rule.

A line gives an event away if they share words, and words side by side, that stand nowhere in what the
speaker had witnessed or been told of by then. How much that says depends on how rare these words are in
the world, and on how much of the line they are. Only what is rare is looked at, so the time for a line
does not grow with the world.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct

from whoknew.engine.finding.verbatim import TOGETHER, VerbatimFinder, VerbatimRun
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import (
    Acted,
    EpisodeOpened,
    EvidenceNoted,
    GoalGiven,
    Narrated,
    Traced,
)
from whoknew.eventlog.words import STOP_WORDS, stems, words

GIVEN_AWAY = (Acted, Narrated, Traced, EpisodeOpened, GoalGiven, EvidenceNoted)
"""What can be given away."""

ECHOES = (Acted, Traced)
"""What may repeat a line that was said before. Of two who say the same without having heard each other
it is the later who cannot have known."""

RARE, RARE_PAIR = 40, 8
"""What stands in more events is known to many: a word, and two words side by side."""

YOUNG = 300
"""So many events are counted on top: in a world that has just begun words are rare, too."""

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

Pair = tuple[str, str]


class SpokenLine(Struct, frozen=True):
    """What somebody said, thought or answered, of which it could know what had happened up to a seq.
    `seq` is that of the line itself."""

    seq: int
    who: str
    text: str
    upto: int


class Leak(Struct, frozen=True, kw_only=True):
    """That a line gives away an event. `later`: it had not happened yet. `phrases` are what of it the
    line says."""

    line: SpokenLine
    of: Event
    later: bool
    score: float
    phrases: tuple[str, ...]


class _Read:
    """An event, and what stands in it."""

    __slots__ = ("event", "pairs", "stems", "witnesses")

    def __init__(self, event: Event, spoken: Sequence[str], witnesses: frozenset[str]) -> None:
        self.event, self.witnesses = event, witnesses
        self.stems, self.pairs = frozenset(spoken), _pairs(spoken)


class LeakFinder:
    """Looks at lines of a world, upon all that it has read of what happened there. `told` says of each
    character which events it was told of, and when first."""

    def __init__(self, events: Iterable[Event], told: Mapping[str, Mapping[int, int]]) -> None:
        self._told = told
        self._read: dict[int, _Read] = {}
        self._holding: dict[str, list[int]] = defaultdict(list)
        self._beside: dict[Pair, list[int]] = defaultdict(list)
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
        read = self._read[event.seq] = _Read(event, stems(words(event.body.words)), witnesses)
        for stem in read.stems:
            self._holding[stem].append(event.seq)
        for pair in read.pairs:
            self._beside[pair].append(event.seq)

    def look(self, line: SpokenLine) -> Leak | None:
        """What a line gives away most surely, if there is anything."""
        return self._word_for_word(line) or self._in_other_words(line)

    def _word_for_word(self, line: SpokenLine) -> Leak | None:
        """An event of which the line says so much in its own words that it is most of the line."""
        said: dict[int, list[VerbatimRun]] = defaultdict(list)
        knows = partial(self._knows, line.who, upto=line.upto)
        for run in self._verbatim.runs(line.text, knows, but=line.seq):
            said[run.seq].append(run)
        if not said:
            return None
        news, seq = max((sum(run.places for run in runs), -seq) for seq, runs in said.items())
        whole = max(1, len(words(line.text)) - TOGETHER + 1)
        if news < MOSTLY * whole or not self._can_be_given_away(line, -seq):
            return None
        return Leak(
            line=line,
            of=self._read[-seq].event,
            later=-seq > line.upto,
            score=SUREST,
            phrases=tuple(" ".join(run.words) for run in said[-seq][:3]),
        )

    def _in_other_words(self, line: SpokenLine) -> Leak | None:
        spoken = stems(words(line.text))
        if len(set(spoken)) < FEWEST:
            return None
        new = {stem: self._bits(stem) for stem in set(spoken) if self._is_new(stem, line)}
        beside = {
            pair: (self._bits(pair[0]) + self._bits(pair[1])) / 2
            for pair in _pairs(spoken)
            if self._is_new_pair(pair, line)
        }
        best, most = None, 0.0
        for seq, (of_words, of_pairs) in self._shared(new, beside).items():
            bits = self._weighed(line, spoken, seq, of_words, of_pairs)
            if bits > most:
                bits *= self._news(spoken, seq, beside)
            if bits > most:
                best, most = self._read[seq], bits
        if best is None:
            return None
        return Leak(
            line=line,
            of=best.event,
            later=best.event.seq > line.upto,
            score=min(SUREST, round(1 / (1 + math.exp((EVEN - most) / STEEP)), 3)),
            phrases=_phrases(line.text, _telling(best, new, beside)),
        )

    def _shared(
        self, new: Mapping[str, float], beside: Mapping[Pair, float]
    ) -> dict[int, tuple[float, float]]:
        """The bits that each event shares with a line: of words, and of words side by side."""
        found: dict[int, tuple[float, float]] = {}
        for stem, bits in new.items():
            for seq in self._holding[stem]:
                of_words, of_pairs = found.get(seq, (0.0, 0.0))
                found[seq] = of_words + bits, of_pairs
        for pair, bits in beside.items():
            for seq in self._beside[pair]:
                of_words, of_pairs = found.get(seq, (0.0, 0.0))
                found[seq] = of_words, of_pairs + bits
        return found

    def _weighed(
        self, line: SpokenLine, spoken: Sequence[str], seq: int, of_words: float, of_pairs: float
    ) -> float:
        """How much speaks for it, in bits, that a line gives away an event: nothing if it cannot."""
        read = self._read[seq]
        if not self._can_be_given_away(line, seq):
            return 0.0
        said = set(spoken)
        shared = said & read.stems
        if len(shared) < FEWEST:
            return 0.0
        whole = sum(map(self._bits, sorted(said)))
        part = sum(map(self._bits, sorted(shared))) / whole
        bits = OF_WORDS * of_words * part + of_pairs * math.sqrt(part)
        return bits * (OF_LATER if seq > line.upto else 1.0)

    def _can_be_given_away(self, line: SpokenLine, seq: int) -> bool:
        """Whether an event is one that its speaker does not know, and that a line can give away."""
        read = self._read[seq]
        if seq == line.seq or not isinstance(read.event.body, GIVEN_AWAY):
            return False
        if self._knows(line.who, seq, line.upto) or line.who in read.witnesses:
            return False
        later = seq > line.upto
        return not (later and line.seq in self._read and isinstance(read.event.body, ECHOES))

    def _news(self, spoken: Sequence[str], seq: int, beside: Mapping[Pair, float]) -> float:
        """How much of what a line and an event share is new to the speaker, who may tell in the same
        words of what it knew."""
        shared = [pair for pair in _pairs(spoken) & self._read[seq].pairs if self._is_rare(pair)]
        return sum(pair in beside for pair in shared) / len(shared) if shared else 1.0

    def _is_rare(self, pair: Pair) -> bool:
        return len(self._beside[pair]) <= RARE_PAIR

    def _knows(self, who: str, seq: int, upto: int) -> bool:
        """Whether somebody had witnessed an event, or been told of it, by then."""
        read = self._read.get(seq)
        if read is not None and seq <= upto and who in read.witnesses:
            return True
        return self._told.get(who, {}).get(seq, NEVER) <= upto

    def _is_new(self, stem: str, line: SpokenLine) -> bool:
        holding = self._holding.get(stem, ())
        return 0 < len(holding) <= RARE and not self._is_known(holding, line)

    def _is_new_pair(self, pair: Pair, line: SpokenLine) -> bool:
        holding = self._beside.get(pair, ())
        return 0 < len(holding) <= RARE_PAIR and not self._is_known(holding, line)

    def _is_known(self, holding: Sequence[int], line: SpokenLine) -> bool:
        """Whether what stands in these events had come to the speaker otherwise than by the line."""
        return any(seq != line.seq and self._knows(line.who, seq, line.upto) for seq in holding)

    def _bits(self, stem: str) -> float:
        return math.log2(1 + (len(self._read) + YOUNG) / max(1, len(self._holding.get(stem, ()))))


def _pairs(spoken: Sequence[str]) -> frozenset[Pair]:
    """Words side by side, or with one between: whoever tells something again leaves words out."""
    return frozenset(
        [
            *pairwise(spoken),
            *zip(spoken, spoken[2:], strict=False),
        ]
    )


def _telling(read: _Read, new: Iterable[str], beside: Iterable[Pair]) -> set[str]:
    """The stems of a line by which it gives an event away."""
    return {stem for stem in new if stem in read.stems}.union(
        *[pair for pair in beside if pair in read.pairs]
    )


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
            run = [*run, *between, word] if run else [word]
            between = []
        else:
            if run:
                yield " ".join(run)
            run, between = [], []
    if run:
        yield " ".join(run)
