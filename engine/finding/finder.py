"""Finds what a speech tells of, by rule.

A speech is cut into sentences. For each, the happenings that share words, concepts or people with it
and that some hearer has missed are looked at: which of them would it tell of, and does it tell of
anything at all? Everything here is a fold over a world's events in their order: what is found for a
speech depends on nothing that comes after it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from whoknew.engine.finding.bygones import Bygones
from whoknew.engine.finding.reasons import reason
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Narrated, Traced

KEPT = 3000
"""So many events are kept, the newest: a play has about a thousand."""

AT_ONCE = 8
"""So many events at most are taken in at a time."""

MOST = 5
"""So many events at most are told of in one speech, the best spoken for."""

HEARD = (Acted, Narrated, Traced, EpisodeOpened)

LEAST, SUREST = 0.04, 0.99
"""What is less sure is not found; and a rule is never quite sure."""


class Found(Struct, frozen=True, kw_only=True):
    """That a speech tells hearers of an earlier event which they did not witness.

    `speech` and `of` are seqs. `by` is who tells: the speaker, or, of a letter that is read aloud, its
    writer if the speech names one (`Event.teller`); whoever reads it is then one of those told.
    `hearers` are the witnesses of the speech who neither witnessed the event nor were told of it before
    as surely as this. `score` is how sure that is, from 0 to 1: of those scored near .8, eight of ten
    are right. `why` says it in plain words. `knew` is false where the teller had neither witnessed the
    event nor been told of it, as far as the log says: then it brings news from off the stage.
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
        self._bygones: Bygones | None = None
        """Nothing, as long as nobody has missed anything: until then there is nothing to tell."""
        self._names: list[str] = []
        self._cast: set[str] = set()
        self._waiting: deque[Event] = deque(maxlen=KEPT)
        """What is still to be taken in: nothing of what happens before somebody misses something is
        looked at until then."""

    def hear(self, event: Event) -> list[Found]:
        """What the next event tells of, the surest first."""
        if isinstance(event.body, CharacterAdded):
            self._add(event.body.name)
            return []
        if not isinstance(event.body, HEARD):
            return []
        found = list(self._found(event))
        self._take_in(event)
        if self._bygones is not None:
            for seq in event.about:
                self._bygones.happenings.inform(seq, event.witnesses)
            for one in found:
                self._bygones.happenings.inform(one.of, one.hearers, one.score)
        return found

    def _add(self, name: str) -> None:
        self._cast.add(name)
        if self._bygones is None:
            self._names.append(name)
        else:
            self._bygones.people.add(name)

    def _found(self, event: Event) -> Iterator[Found]:
        teller = event.teller
        if self._bygones is None or not teller or not _is_speech(event):
            return
        for score, candidate in islice(self._bygones.told_by(event, teller), MOST):
            happening, sure = candidate.happening, min(SUREST, round(score, 3))
            hearers = tuple(
                name
                for name in event.witnesses
                if name != teller
                and name not in happening.party.witnesses
                and happening.informed.get(name, 0.0) < sure
            )
            if score >= LEAST and hearers:
                yield Found(
                    speech=event.seq,
                    of=happening.seq,
                    by=teller,
                    hearers=hearers,
                    score=sure,
                    why=reason(candidate),
                    knew=happening.known_to(teller),
                )

    def _take_in(self, event: Event) -> None:
        self._waiting.append(event)
        self._cast.update(event.witnesses)
        if self._bygones is None and self._is_missed(event):
            self._bygones = Bygones(self._names, KEPT)
        if self._bygones is not None:
            for _ in range(min(AT_ONCE, len(self._waiting))):
                self._bygones.take_in(self._waiting.popleft())

    def _is_missed(self, event: Event) -> bool:
        said = event.body.words and not isinstance(event.body, EpisodeOpened)
        return bool(said) and len(event.witnesses) < len(self._cast)


def _is_speech(event: Event) -> bool:
    body = event.body
    return isinstance(body, Traced) or (isinstance(body, Acted) and body.act == "speak")
