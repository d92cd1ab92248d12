"""Finds what a speech tells of: of the events that some of its hearers did not witness, those that
it shares rare words with.

Everything here is a fold over a world's events in their order: what is found for a speech depends
on nothing that comes after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from whoknew.engine.tellings.happenings import Happening, Happenings
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Traced
from whoknew.eventlog.words import terms

RAREST = 12
"""So many words of a speech, the rarest, are looked up."""

MOST = 3
"""So many events at most are told of in one speech."""

SURE = 12.0
"""The rarity shared, in bits, that makes a telling as likely as not."""

LEAST = 0.2
"""What is less sure is not found."""


class Found(Struct, frozen=True, kw_only=True):
    """That a speech tells hearers of an earlier event which they did not witness.

    `speech` and `of` are seqs. `by` is who tells: who speaks, or of a letter that is read aloud its
    writer. `hearers` are those of the speech's witnesses who neither witnessed the event nor were
    told of it before. `score` is how sure that is, 0 to 1: of those scored near .8, eight of ten are
    right. `why` says it in plain words. One who tells of what it neither witnessed nor was told of
    brings news: it has it from off the stage, and did not know of it (`knew`) as far as the log says.
    """

    speech: int
    of: int
    by: str
    hearers: tuple[str, ...]
    score: float
    why: str
    knew: bool = True


class Finder:
    """Goes along a world's events in their order, and finds what each tells of. All that it keeps is
    bounded."""

    def __init__(self) -> None:
        self._kept = Happenings()

    def hear(self, event: Event) -> list[Found]:
        """What the next event tells of, the surest first."""
        found: list[Found] = []
        if isinstance(event.body, Acted | Traced) and event.body.words and event.actor:
            found = sorted(self._found(event, event.actor), key=lambda one: (-one.score, one.of))
            found = found[:MOST]
        self._kept.tell(event.about, event.witnesses)
        for one in found:
            self._kept.tell((one.of,), one.hearers)
        self._kept.add(event)
        return found

    def _found(self, event: Event, teller: str) -> Iterator[Found]:
        hearers = [name for name in event.witnesses if name != teller]
        rare = self._kept.rarest(terms(event.body.words), RAREST)
        shared: dict[int, list[str]] = {}
        for term in rare:
            for fact in self._kept.holding(term):
                shared.setdefault(fact.seq, []).append(term)
        for seq, those in shared.items():
            fact = self._kept[seq]
            score = _score(sum(rare[term] for term in those))
            unaware = tuple(name for name in hearers if not fact.known_to(name))
            if unaware and score >= LEAST and fact.known_to(teller):
                why = f"shares the words {', '.join(those)}"
                yield _told(event, fact, teller, unaware, score, why)


def _told(
    event: Event, fact: Happening, teller: str, hearers: tuple[str, ...], score: float, why: str
) -> Found:
    return Found(
        speech=event.seq,
        of=fact.seq,
        by=teller,
        hearers=hearers,
        score=score,
        why=why,
        knew=fact.known_to(teller),
    )


def _score(rarity: float) -> float:
    return round(rarity**2 / (rarity**2 + SURE**2), 2)
