"""Finds runs of words that stand in events which somebody does not know, and in nothing that it knows.

It goes by as many words side by side as hardly ever come together by chance, so what it finds is no
guess. The time for a text grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import CharacterAdded
from whoknew.eventlog.words import STOP_WORDS, words

TOGETHER = 5
"""So many words side by side are looked at."""

MEANING = 3
"""So many of a run have to mean something: they are neither stop words nor names of people."""

COMMON = 40
"""What stands in more events is known to many."""

PLACE = re.compile(r"\[\d+\]")


class VerbatimRun(Struct, frozen=True):
    """These `words` of a text, side by side, stand in the event at a seq: from so many `places` on they
    are news."""

    seq: int
    words: tuple[str, ...]

    @property
    def places(self) -> int:
        return len(self.words) - TOGETHER + 1


class VerbatimFinder:
    """Looks for what it has read, event by event."""

    def __init__(self) -> None:
        self._holding: dict[int, int | tuple[int, ...]] = {}
        self._names: set[str] = set()

    def read(self, event: Event) -> None:
        body = event.body
        if type(body) is CharacterAdded:
            self._names.update(words(body.name))
        for shingle in set(shingles(said(body.words))):
            held = self._holding.get(shingle)
            if held is None:
                self._holding[shingle] = event.seq
            elif isinstance(held, int):
                self._holding[shingle] = (held, event.seq)
            elif len(held) <= COMMON:
                self._holding[shingle] = (*held, event.seq)

    def runs(
        self,
        text: str,
        knows: Callable[[int], bool],
        also: Callable[[], Iterable[str]] = tuple,
        *,
        but: int = 0,
    ) -> list[VerbatimRun]:
        """The runs of a text that stand in events which are not known, and neither in one that is known
        nor in what is known `also`, which is asked for only where there are some. `but` is the event
        that the text is of, if it was read."""
        spoken = said(text)
        unknown = self._unknown(spoken, knows, but)
        if not unknown:
            return []
        for other in also():
            own = set(shingles(said(other)))
            unknown = {at: held for at, held in unknown.items() if held[0] not in own}
        return [run for run in _runs(spoken, unknown) if self._means_something(run)]

    def _unknown(
        self, spoken: Sequence[str], knows: Callable[[int], bool], but: int
    ) -> dict[int, tuple[int, tuple[int, ...]]]:
        """Where in a text there are words side by side of events none of which is known; with those."""
        found = {}
        for at, shingle in enumerate(shingles(spoken)):
            held = self._holding.get(shingle, ())
            seqs = (held,) if isinstance(held, int) else held
            if but in seqs:
                seqs = tuple(seq for seq in seqs if seq != but)
            if seqs and len(seqs) <= COMMON and not any(map(knows, seqs)):
                found[at] = shingle, seqs
        return found

    def _means_something(self, run: VerbatimRun) -> bool:
        meaning = {one for one in run.words if one not in STOP_WORDS and one not in self._names}
        return len(meaning) >= MEANING


def said(text: str) -> list[str]:
    """The words of a text, but for the numbers that lines have in a prompt."""
    return words(PLACE.sub(" ", text))


def shingles(spoken: Sequence[str]) -> Iterator[int]:
    """Each so many words side by side, as a number."""
    return map(hash, zip(*(spoken[at:] for at in range(TOGETHER)), strict=False))


def _runs(
    spoken: Sequence[str], unknown: dict[int, tuple[int, tuple[int, ...]]]
) -> Iterator[VerbatimRun]:
    """Places that follow each other make a run, as long as one event has all of it."""
    first, seqs = -1, frozenset[int]()
    last = -1
    for at, (_, held) in sorted(unknown.items()):
        both = seqs & set(held)
        if at == last + 1 and both:
            seqs, last = both, at
            continue
        if seqs:
            yield VerbatimRun(min(seqs), tuple(spoken[first : last + TOGETHER]))
        first, last, seqs = at, at, frozenset(held)
    if seqs:
        yield VerbatimRun(min(seqs), tuple(spoken[first : last + TOGETHER]))
