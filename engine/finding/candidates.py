"""What a speech may tell of: of each of its sentences the happenings that share most with it."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator

from msgspec import Struct

from whoknew.engine.finding.clues import Delivery, How, Shared, Which, how, which
from whoknew.engine.finding.company import Company
from whoknew.engine.finding.happenings import Happening, Happenings
from whoknew.engine.finding.sentences import Sentence, sentences
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import EpisodeOpened

RAREST = 6
"""So many stems of a sentence, the rarest, are looked up; and so many of a question that it answers."""

LOOKED_AT = 14
"""So many happenings at most are looked at for one sentence, those that share most."""

AROUND = ((-2, 0.25), (-1, 0.5), (1, 0.5), (2, 0.25))
"""How much of what a happening shares counts for those next to it: talk leans on what was just said."""

BY_NAME = 12
"""So many of the last deeds of somebody who is named are looked at."""

NEWS = re.compile(
    r"\b(news|tidings|how now|what says?|what said|hast thou|have you|did you|didst|the matter|where|"
    r"how is|how does|how fares|how did|who|is it true|what have|what did|why)\b",
    re.IGNORECASE,
)
"""Questions that are answered by telling."""


class Candidate(Struct, frozen=True, kw_only=True):
    """A happening that a sentence may tell of, with who missed it, and the clues."""

    one: Happening
    unaware: tuple[str, ...]
    sentence: Sentence
    which: Which
    how: How


class Utterance(Struct, frozen=True):
    """What somebody said a little while ago, and whom it named."""

    by: str
    said: list[Sentence]
    named: dict[str, float]

    @property
    def end(self) -> list[Sentence]:
        return self.said[-2:]

    @property
    def asks(self) -> bool:
        return any(sentence.asks for sentence in self.end)


class Candidates:
    """A fold of the events so far."""

    def __init__(self) -> None:
        self.people = Company()
        self.happenings = Happenings()
        self._episode = 0
        self._spoken: deque[Utterance] = deque(maxlen=6)

    def take_in(self, event: Event) -> None:
        """Go on with what has happened."""
        if isinstance(event.body, EpisodeOpened):
            self._episode = event.episode
            self._spoken.clear()
        elif event.body.words and event.witnesses:
            self._happened(event)

    def of(self, event: Event, teller: str) -> list[Candidate]:
        """What the next event may tell of."""
        hearers = tuple(name for name in event.witnesses if name != teller)
        if not hearers:
            return []
        before = next((one for one in reversed(self._spoken) if one.by in hearers), None)
        asks = before is not None and before.asks
        occasion = Delivery(
            teller=teller,
            hearers=hearers,
            addressee=before.by if before else None,
            answers=asks,
            news=asks and any(NEWS.search(one.text) for one in before.end) if before else False,
            place=self.happenings.next,
            episode=self._episode,
        )
        talked_of = {name: sure * 0.5 for name, sure in before.named.items()} if before else {}
        said = _Speech(self.people, self.happenings, occasion, before.end if before else [])
        return said.candidates(sentences(event.body.words), talked_of)

    def _happened(self, event: Event) -> None:
        if event.actor:
            self.people.add(event.actor)
            said = sentences(event.body.words)
            named = self.people.mentioned(word for one in said for word in one.words)
            self._spoken.append(Utterance(event.actor, said, named))
        place = self.happenings.add(event, self.people)
        if event.actor:
            self.people.said(place, event.actor, event.witnesses)


class _Speech:
    """A speech that is looked at: what its sentences share with what happened."""

    def __init__(
        self, people: Company, happenings: Happenings, occasion: Delivery, question: list[Sentence]
    ) -> None:
        self._people, self._happenings, self._occasion = people, happenings, occasion
        self._missed: dict[frozenset[str], tuple[str, ...]] = {}
        self._whole: dict[int, float] = defaultdict(float)
        asked = {stem for one in question for stem in one.stems} - people.stems
        self._asked: dict[int, float] = defaultdict(float)
        for bits, key in happenings.rarest(asked, RAREST):
            for place in happenings.holding(key):
                self._asked[place] += bits

    def candidates(self, said: list[Sentence], talked_of: dict[str, float]) -> list[Candidate]:
        looked_at = []
        for sentence in said:
            named = self._named(sentence, talked_of)
            talked_of = {name: sure * 0.7 for name, sure in named.items()} or talked_of
            shared = self._shared(sentence, named)
            for place, one in shared.items():
                self._whole[place] += one.words + 0.5 * one.concepts
            looked_at.append((sentence, named, shared))
        return [one for some in looked_at for one in self._best(*some)]

    def _named(self, sentence: Sentence, talked_of: dict[str, float]) -> dict[str, float]:
        """Whom a sentence speaks of, who takes no part: by name, else those just talked of."""
        here = {self._occasion.teller, *self._occasion.hearers}
        named = self._people.mentioned(sentence.words)
        if not sentence.third or not named.keys() <= here:
            talked_of = {}
        named = talked_of | named
        named.pop(self._occasion.teller, None)
        return named

    def _shared(self, sentence: Sentence, named: dict[str, float]) -> dict[int, Shared]:
        kept = self._happenings
        shared: dict[int, Shared] = defaultdict(Shared)
        own = [stem for stem in sentence.stems if stem not in self._people.stems]
        for bits, key in kept.rarest(own, RAREST):
            for place in kept.holding(key):
                one = shared[place]
                one.words += bits
                one.rarest = max(one.rarest, bits)
        for place, words in [(place, one.words) for place, one in shared.items()]:
            for distance, part in AROUND:
                beside = kept.get(place + distance)
                if beside is not None and beside.episode == kept[place].episode:
                    shared[beside.place].around += part * words
        concepts = [f"#{concept}" for concept in sentence.concepts]
        for bits, key in kept.rarest(concepts, RAREST):
            for place in kept.holding(key):
                shared[place].concepts += bits
        for _, key in kept.rarest([f"@{name}" for name in named], RAREST):
            for place in kept.holding(key, BY_NAME):
                _ = shared[place]
        for place in self._asked:
            _ = shared[place]
        return shared

    def _best(
        self, sentence: Sentence, named: dict[str, float], shared: dict[int, Shared]
    ) -> Iterator[Candidate]:
        ranked = []
        for place, held in shared.items():
            one = self._happenings[place]
            if self._unaware(one):
                ranked.append((-self._roughly(one, held, named), -place))
        ranked.sort()
        for _, back in ranked[:LOOKED_AT]:
            one, held = self._happenings[-back], shared[-back]
            held.whole = self._whole[-back]
            yield self._candidate(sentence, named, held, one)

    def _candidate(
        self, sentence: Sentence, named: dict[str, float], shared: Shared, one: Happening
    ) -> Candidate:
        occasion, people = self._occasion, self._people
        unaware = self._unaware(one)
        to = occasion.addressee if occasion.addressee in unaware else unaware[0]
        assert to is not None
        since = people.said_since(one.place + 1, occasion.teller, to)
        return Candidate(
            one=one,
            unaware=unaware,
            sentence=sentence,
            which=which(occasion, sentence, named, shared, one, unaware, since),
            how=how(occasion, sentence),
        )

    def _roughly(self, one: Happening, held: Shared, named: dict[str, float]) -> float:
        """Enough to leave out what shares least."""
        occasion = self._occasion
        return (
            (held.words + 0.4 * self._asked.get(one.place, 0.0)) * one.weight
            + 0.6 * (held.around + held.concepts)
            + 3.0 * named.get(one.actor, 0.0)
            + 2.5 * (occasion.teller in one.witnesses)
            - 2.0 * (len(one.witnesses) == 1)
            - 0.3 * (occasion.episode - one.episode)
        )

    def _unaware(self, one: Happening) -> tuple[str, ...]:
        """Who of the hearers did not witness it."""
        found = self._missed.get(one.witnesses)
        if found is None:
            found = tuple(name for name in self._occasion.hearers if name not in one.witnesses)
            self._missed[one.witnesses] = found
        return found
