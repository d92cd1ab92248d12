"""What has happened so far in a world, as far as it can be told of; and what was just said."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

from whoknew.engine.finding.candidates import Candidates, Named
from whoknew.engine.finding.clues import Delivery
from whoknew.engine.finding.company import Company
from whoknew.engine.finding.frames import sources
from whoknew.engine.finding.happenings import Happenings
from whoknew.engine.finding.sentences import Sentence, sentences
from whoknew.engine.finding.weights import Scored, scored
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import EpisodeOpened

NEWS = re.compile(
    r"\b(news|tidings|how now|what says?|what said|hast thou|have you|did you|didst|the matter|where|"
    r"how is|how does|how fares|how did|who|is it true|what have|what did|why)\b",
    re.IGNORECASE,
)
"""Questions that are answered by telling."""

FADES = 0.5, 0.7
"""How sure it is that somebody is still spoken of: from speech to speech, from sentence to sentence."""


class Utterance(Struct, frozen=True):
    """What somebody said a little while ago, and whom it named."""

    by: str
    said: list[Sentence]
    named: Named

    @property
    def end(self) -> list[Sentence]:
        return self.said[-2:]

    @property
    def asks(self) -> bool:
        return any(sentence.asks for sentence in self.end)


class Bygones:
    """A fold of the events so far."""

    def __init__(self, names: Iterable[str], most: int) -> None:
        """Of a world with these people; so many happenings are kept, the newest."""
        self.people = Company()
        for name in names:
            self.people.add(name)
        self.happenings = Happenings(most)
        self._episode = 0
        self._spoken: deque[Utterance] = deque(maxlen=6)
        self._read: tuple[Event | None, list[Sentence]] = None, []

    def take_in(self, event: Event) -> None:
        """Go on with what has happened."""
        if isinstance(event.body, EpisodeOpened):
            self._episode = event.episode
            self._spoken.clear()
        elif event.body.words and event.witnesses:
            self._happened(event)

    def told_by(self, event: Event, teller: str) -> Iterator[Scored]:
        """What the next event may tell of, the best spoken for first."""
        hearers = tuple(name for name in event.witnesses if name != teller)
        said = self._sentences(event)
        if not hearers or not said:
            return
        before = next((one for one in reversed(self._spoken) if one.by in hearers), None)
        asks = before is not None and before.asks
        bits = self.happenings.bits
        told = tuple(name for name in sources(said, self.people) if name != teller)
        delivery = Delivery(
            teller=teller,
            sources=told,
            hearers=hearers,
            addressee=before.by if before else None,
            hearing=bits(hearers),
            telling=bits((teller, *told)),
            addressed=bits((before.by,)) if before else 0,
            question=before.end if before else [],
            answers=asks,
            news=asks and any(NEWS.search(one.text) for one in before.end) if before else False,
            episode=self._episode,
        )
        named = self._named(said, delivery, before.named if before else {})
        candidates = Candidates(self.people, self.happenings, delivery, said, named)
        if candidates.found:
            yield from scored(candidates.found, among=len(self.happenings))

    def _happened(self, event: Event) -> None:
        said = self._sentences(event)
        if event.actor:
            self.people.add(event.actor)
        named = self.people.mentioned(word for one in said for word in one.words)
        place = self.happenings.add(event, said, named, self.people.stems)
        if event.actor:
            self._spoken.append(Utterance(event.actor, said, named))
            self.people.said(place, event.actor, event.witnesses)

    def _named(self, said: list[Sentence], delivery: Delivery, before: Named) -> list[Named]:
        """Whom each sentence speaks of, who takes no part: by name, else those just talked of."""
        here = {delivery.teller, *delivery.hearers}
        talked_of = {name: sure * FADES[0] for name, sure in before.items()}
        found = []
        for sentence in said:
            named = self.people.mentioned(sentence.words)
            if sentence.third and named.keys() <= here:
                named = talked_of | named
            named.pop(delivery.teller, None)
            talked_of = {name: sure * FADES[1] for name, sure in named.items()} or talked_of
            found.append(named)
        return found

    def _sentences(self, event: Event) -> list[Sentence]:
        """An event is read once, also where it is looked at before it is taken in."""
        if self._read[0] is not event:
            self._read = event, sentences(event.body.words)
        return self._read[1]
