"""Who told whom of what: as events declare it by what they are about, and as it was found afterwards.

A fold of the log. What was found counts from the speech on, wherever on the log it is recorded; the
latest record for a speech and an event stands for all before it. Everybody who witnessed a speech
heard it, whoever it was meant for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from whoknew.eventlog.event import Draft, Event, Outline
from whoknew.eventlog.kinds import Origin, TellingFound, TellingsSought

How = Literal["rule", "model", "person", "declared"]
"""How a telling is known: found by one of these, or declared by the event itself."""

WEAKEST_FIRST: tuple[How, ...] = ("rule", "model", "person", "declared")


class Link(NamedTuple):
    """How sure a telling is. Of two the weaker is the lesser: `rank` is a place in `WEAKEST_FIRST`."""

    score: float
    rank: int


ON_TELLINGS = frozenset((TellingFound, TellingsSought))
"""The kinds that put tellings on record."""

DECLARED = Link(1.0, len(WEAKEST_FIRST) - 1)


class Telling(Struct, frozen=True, gc=False):
    """A speech that tells its witnesses of an earlier event."""

    seq: int
    by: str | None
    witnesses: tuple[str, ...]
    link: Link = DECLARED

    def reaches(self, character: str) -> bool:
        return character in self.witnesses and character != self.by


class FalseReport(Struct, frozen=True, omit_defaults=True):
    """At `at`, `by` told of an event what is not so; `origin` and `score` say how that is known."""

    text: str
    at: int
    by: str | None = None
    origin: Origin = "rule"
    score: float = 1.0


class TellingRecord(NamedTuple):
    """What is on record of a speech and an event, since the seq `since`."""

    since: int
    found: TellingFound


class Search(NamedTuple):
    """On record at `seq`: tellings were looked for up to `upto`, by this finder."""

    seq: int
    upto: int
    finder: str


class Tellings:
    """Those of a world. `upto`: what was found is known as far as it stands on the log up to there."""

    def __init__(self, witnessed: Mapping[str, array[int]]) -> None:
        self._witnessed = witnessed
        self.declared: dict[int, list[Telling]] = {}
        """What tells of each event, as it says itself, in order: as far as that was sorted in."""
        self._unsorted: deque[Outline] = deque()
        """What was declared since: most lives are asked for what is in them, and not for who was told of it."""
        self.found: dict[int, dict[int, list[TellingRecord]]] = {}
        """Of each event, the speeches that were ever found to tell of it, with all records."""
        self.searches: list[Search] = []
        self.upto = 0

    def declare(self, one: Outline) -> None:
        """Take in that its witnesses are told of what it is about."""
        self._unsorted.append(one)

    def sort_in(self, most: int) -> bool:
        """Sort in so many of those that were declared; whether more are left. By the loop alone: threads read
        meanwhile what is there."""
        unsorted = self._unsorted
        for _ in range(min(most, len(unsorted))):
            one = unsorted.popleft()
            telling = Telling(one.seq, one.teller, one.witnesses)
            for earlier in one.about:
                self.declared.setdefault(earlier, []).append(telling)
        return bool(unsorted)

    def go_on(self, events: Sequence[Event], upto: int) -> None:
        """Take in what these events record, which are all that there are of the kind up to a seq."""
        for event in events:
            body = event.body
            if event.seq <= self.upto:
                continue
            if type(body) is TellingFound and event.cause is not None:
                speeches = self.found.setdefault(body.fact, {})
                speeches.setdefault(event.cause, []).append(TellingRecord(event.seq, body))
            elif type(body) is TellingsSought:
                self.searches.append(Search(event.seq, body.upto, body.finder))
        self.upto = max(self.upto, upto)

    def told_of(self) -> list[int]:
        """The events that anything may tell of, the newest first."""
        events: Iterable[int] = self.declared
        if self.found:
            events = self.declared.keys() | self.found.keys()
        return sorted(events, reverse=True)

    def of(self, event: int, upto: int, sure: float, recorded: int) -> Sequence[Telling]:
        """What tells of an event, in order: up to a seq, at least that sure, as it was on record."""
        every = self.declared.get(event, ())
        declared = every[: bisect_right(every, upto, key=lambda telling: telling.seq)]
        if event not in self.found:
            return declared
        tellings = {telling.seq: telling for telling in declared}
        for speech, found in self._standing(event, upto, sure, recorded):
            if speech not in tellings and not found.otherwise:
                link = Link(found.score, WEAKEST_FIRST.index(found.origin))
                tellings[speech] = Telling(speech, found.teller, self.witnesses(speech), link)
        return [tellings[seq] for seq in sorted(tellings)]

    def false_reports(
        self, event: int, upto: int, sure: float, recorded: int
    ) -> list[tuple[FalseReport, tuple[str, ...]]]:
        """What was told of an event that is not so, in order, and who witnessed that."""
        if event not in self.found:
            return []
        standing = sorted(self._standing(event, upto, sure, recorded), key=lambda one: one[0])
        return [
            (
                FalseReport(found.otherwise, speech, found.teller, found.origin, found.score),
                self.witnesses(speech),
            )
            for speech, found in standing
            if found.otherwise
        ]

    def sought(self, upto: int, recorded: int) -> int:
        """Up to which seq tellings were looked for, of those up to a seq, as it was on record."""
        known = (search.upto for search in self.searches if search.seq <= recorded)
        return min(max(known, default=0), upto)

    def witnesses(self, seq: int) -> tuple[str, ...]:
        return tuple(name for name, seqs in list(self._witnessed.items()) if _holds(seqs, seq))

    def _standing(
        self, event: int, upto: int, sure: float, recorded: int
    ) -> list[tuple[int, TellingFound]]:
        """The speeches that tell of an event, each by the newest record of it."""
        standing = []
        for speech, records in list(self.found[event].items()):
            if speech <= upto and (found := newest(records, recorded)) and found.score >= sure:
                standing.append((speech, found))
        return standing


def newest(records: Sequence[TellingRecord], recorded: int) -> TellingFound | None:
    """What was on record by a seq; nothing where it was taken back."""
    for since, found in reversed(records):
        if since <= recorded:
            return found if found.score > 0 else None
    return None


def carried(records: Iterable[Event], upto: int) -> list[Draft]:
    """What a fork at a seq takes along of what its parent has on record after it: what was found in
    the speeches that both share, and how far they were looked through."""
    found: dict[tuple[int | None, int], Draft] = {}
    searches: dict[str, int] = {}
    for event in records:
        body = event.body
        if isinstance(body, TellingFound) and event.cause is not None and event.cause <= upto:
            found.pop((event.cause, body.fact), None)
            found[event.cause, body.fact] = Draft(body, cause=event.cause)
        elif isinstance(body, TellingsSought):
            searches[body.finder] = max(searches.get(body.finder, 0), min(body.upto, upto))
    return [
        *found.values(),
        *(Draft(TellingsSought(sought, finder)) for finder, sought in searches.items()),
    ]


def _holds(seqs: Sequence[int], seq: int) -> bool:
    place = bisect_left(seqs, seq)
    return place < len(seqs) and seqs[place] == seq
