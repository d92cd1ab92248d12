"""The words of a whole world at hand, for those who search in it again and again: its events are found in
the order in which `searching.py` finds them. Where the text is there that a world was made of, it is
searched in its passages, and in nothing else.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.of_world import OfWorld
from whoknew.engine.finding.searching import SHARED, Hit, ranked, run_of, wanted
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.kinds import Printed
from whoknew.eventlog.words import terms

_MARKS = re.compile('["“”]')


async def fitting(
    log: Log, world: str, text: str, most: int, upto: Cursor | None = None
) -> list[Event]:
    """What in a world fits some words best, the best first: in the whole of it, if it is not said up to
    where. Nothing where nothing does. A quoted phrase is not looked for word for word."""
    index = await _INDEXES.get(log, world)
    seq = upto.seq if upto else (await log.head(world)).seq
    best = await asyncio.to_thread(index.best, text, most, seq)
    events = await log.lineage.pick(world, sorted(best))
    return sorted(events, key=lambda event: best.index(event.seq))


class StoryIndex:
    def __init__(self, events: Iterable[Event]) -> None:
        self._postings: dict[str, dict[int, int]] = {}
        self._lengths: dict[int, int] = {}
        self._runs: dict[int, str] = {}
        for event in events:
            stems = terms(event.text)
            self._lengths[event.seq], self._runs[event.seq] = len(stems), run_of(event.text)
            for stem, often in Counter(stems).items():
                self._postings.setdefault(stem, {})[event.seq] = often

    def best(self, text: str, most: int, upto: int) -> list[int]:
        """The seqs of what fits best, up to one: nothing of what comes later counts for it."""
        try:
            sought = wanted(_MARKS.sub(" ", text))
        except BadQuestion:  # it holds no word
            return []
        found: dict[int, Counter[str]] = {}
        for stem in sorted(sought.stems):
            for seq, often in self._postings.get(stem, {}).items():
                if seq <= upto:
                    found.setdefault(seq, Counter())[stem] = often
        if sought.phrases:  # words alone that stand everywhere
            found = {seq: Counter() for seq in self._runs if seq <= upto}
        hits = [
            Hit(seq, self._holds(seq, sought.whole, often, sought.stems), often, self._lengths[seq])
            for seq, often in found.items()
            if all(phrase in self._runs[seq] for phrase in sought.phrases)
        ]
        return ranked(hits, upto)[:most] if hits else []

    def _holds(self, seq: int, whole: str, often: Counter[str], stems: frozenset[str]) -> bool:
        """Whether all the words stand in it one after another."""
        return len(often) == len(stems) and whole in self._runs[seq]


def _made(events: Sequence[Event]) -> StoryIndex:
    printed = [event for event in events if isinstance(event.body, Printed)]
    return StoryIndex(printed or (one for one in events if isinstance(one.body, SHARED)))


_INDEXES = OfWorld(_made)
