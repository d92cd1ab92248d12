"""Who was told of what, event by event, as a world goes on: what `Knowledge.told` says of a world as a
whole, without going back over all of it after each event.

Of each character an event is looked at once, so the time for all of a world grows no faster than the
world. What is taken back later counts until it is folded anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import TellingFound
from whoknew.eventlog.knowledge import SURE


class Hearsay:
    """`told` says of each character which events it was told of, and when first."""

    def __init__(self) -> None:
        self.told: Mapping[str, Mapping[int, int]] = (
            told := defaultdict[str, dict[int, int]](dict)
        )
        self._told = told
        self._of: dict[int, tuple[int, ...]] = {}
        """What each event tells of."""
        self._heard: dict[int, tuple[str, ...]] = {}
        """Who heard each event."""
        self._parties: dict[tuple[str, ...], tuple[str, ...]] = {}
        """Each once: a few are there again and again."""

    def hear(self, event: Event) -> None:
        body = event.body
        if type(body) is TellingFound:
            if event.cause is not None and body.score >= SURE and not body.otherwise:
                self._tell(event.cause, (body.fact,), body.teller)
            return
        if event.witnesses:
            heard = event.witnesses
            self._heard[event.seq] = self._parties.setdefault(heard, heard)
        if event.about:
            self._tell(event.seq, event.about, event.teller)

    def _tell(self, speech: int, of: tuple[int, ...], by: str | None) -> None:
        """Whoever heard a speech from somebody else, or was told of it, is told of these from then on."""
        self._of[speech] = (*self._of.get(speech, ()), *of)
        for who in self._heard.get(speech, ()):
            if who != by:
                self._learn(who, of, speech)
        for who, known in self._told.items():
            if speech in known:
                self._learn(who, of, known[speech])

    def _learn(self, who: str, events: Iterable[int], at: int) -> None:
        """Those, and all that they tell of."""
        known, waiting = self._told[who], list(events)
        while waiting:
            seq = waiting.pop()
            if seq not in known:
                known[seq] = at
                waiting += self._of.get(seq, ())
