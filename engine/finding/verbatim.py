"""Finds runs of words that stand in events which somebody does not know, and in nothing that it knows.

It goes by as many words side by side as hardly ever come together by chance, so what it finds is no
guess. The time for a text grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import unescape
from unicodedata import normalize

from msgspec import Struct

from whoknew.agents.briefing import CONDITIONS
from whoknew.agents.lines import line
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.prompts.text import fixed_texts
from whoknew.engine.finding.seq_index import SeqIndex, distinct
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

ESCAPED = re.compile(r"\\+(?:u(?P<sign>[0-9a-f]{4})|[bfnrt])?")
"""How a sign stands in what is quoted as JSON, be it quoted again."""


UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Signs that are not seen: they say where a line may be broken, or which way it goes."""


class VerbatimRun(Struct, frozen=True):
    """These `words` of a text, side by side, stand in the events at these seqs, the earliest first: from
    so many `places` on they are news."""

    seqs: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def seq(self) -> int:
        return self.seqs[0]

    @property
    def places(self) -> int:
        return len(self.words) - TOGETHER + 1


class VerbatimFinder:
    """Looks for what it has read, event by event. What stands in the prompts of everybody, everybody
    knows: a model may repeat it."""

    def __init__(self) -> None:
        self._holding, self._framed = SeqIndex(COMMON), SeqIndex(COMMON)
        """What events say; and what a prompt makes of one: who says it, with how it begins."""
        self._names: set[str] = set()

    def read(self, event: Event) -> int:
        """Read an event: how many words it says."""
        body = event.body
        if type(body) is CharacterAdded:
            self._names.update(words(body.name))
        spoken = said(body.words)
        self._holding.add({*shingles(spoken)} - in_all_prompts(), event.seq)
        frame = said(line(0, event).partition('"')[0])
        self._framed.add({*shingles([*frame, *spoken[: TOGETHER - 1]])}, event.seq)
        return len(spoken)

    def runs(
        self,
        spoken: Sequence[str],
        knows: Callable[[int], bool],
        also: Callable[[], Iterable[str]] = tuple,
        *,
        tells: Callable[[int], bool],
        but: int = 0,
    ) -> list[VerbatimRun]:
        """The runs of what is `said` that stand in events which are not known, and neither in one that is known
        nor in what is known `also`, which is asked for only where there are some. Only of what `tells`
        something there are runs. `but` is the event that the text is of, if it was read."""
        unknown = self.unknown(spoken, knows, tells=tells, but=but)
        if not unknown:
            return []
        for other in also():
            own = set(shingles(said(other)))
            unknown = {at: held for at, held in unknown.items() if held[0] not in own}
        return [run for run in _runs(spoken, unknown) if self._means_something(run)]

    def unknown(
        self,
        spoken: Sequence[str],
        knows: Callable[[int], bool],
        *,
        tells: Callable[[int], bool],
        but: int = 0,
    ) -> dict[int, tuple[int, tuple[int, ...]]]:
        """Where in a text there are words side by side of events none of which is known; with those that
        `tells` something of."""
        if len(spoken) < TOGETHER:
            return {}
        return {
            at: (shingle, telling)
            for at, (shingle, seqs) in self._unknown(spoken, knows, but).items()
            if (telling := tuple(filter(tells, seqs)))
        }

    def _unknown(
        self, spoken: Sequence[str], knows: Callable[[int], bool], but: int
    ) -> dict[int, tuple[int, tuple[int, ...]]]:
        """Where in a text there are words side by side of events none of which is known; with those."""
        numbers = list(shingles(spoken))
        holding, known = self._holding.holding(numbers), dict[int, bool]()
        unknown = dict[int, tuple[int, ...]]()
        for seqs in distinct(holding):
            others = tuple(seq for seq in seqs if seq != but) if but and but in seqs else seqs
            if not others:
                continue
            first = others[0]  # looked at once: a line of a prompt comes of one event, mostly known
            if first not in known:
                known[first] = knows(first)
            if not known[first] and not any(map(knows, others)):
                unknown[id(seqs)] = others
        if not unknown:  # as nearly always
            return {}
        found = [(at, unknown.get(id(seqs))) for at, seqs in enumerate(holding)]
        told = {at: (numbers[at], others) for at, others in found if others}
        framed = self._framed.first([shingle for shingle, _ in told.values()])
        return {
            at: one
            for at, one, in_frame in zip(told, told.values(), framed, strict=True)
            if not any(map(knows, in_frame))
        }

    def _means_something(self, run: VerbatimRun) -> bool:
        meaning = {one for one in run.words if one not in STOP_WORDS and one not in self._names}
        return len(meaning) >= MEANING


def said(text: str) -> list[str]:
    """The words of a text, whether it is quoted or not (as JSON, or in HTML), and whichever signs its letters
    are made of; but for the numbers that lines have in a prompt."""
    if "\\" in text:
        text = ESCAPED.sub(_unescaped, text)
    if "&" in text:
        text = unescape(text)
    if not text.isascii():
        text = normalize("NFKC", UNSEEN.sub("", text))
    return words(PLACE.sub(" ", text))


def _unescaped(escaped: re.Match[str]) -> str:
    sign = escaped["sign"]
    return chr(int(sign, 16)) if sign else " "


@cache
def in_all_prompts() -> frozenset[int]:
    """What stands side by side in prompts whoever is asked: rules, and how things are put."""
    hints = [hint.value for hint in ExpertHint]
    texts = [*fixed_texts(), *CONDITIONS.values(), *hints]
    return frozenset(shingle for text in texts for shingle in shingles(said(text)))


def shingles(spoken: Sequence[str]) -> Iterator[int]:
    """Each so many words side by side, as a number."""
    return map(hash, zip(*[spoken[at:] for at in range(TOGETHER)], strict=False))


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
            yield VerbatimRun(tuple(sorted(seqs)), tuple(spoken[first : last + TOGETHER]))
        first, last, seqs = at, at, frozenset(held)
    if seqs:
        yield VerbatimRun(tuple(sorted(seqs)), tuple(spoken[first : last + TOGETHER]))
