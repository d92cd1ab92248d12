"""Events to ask of, by rule from the log: who said what to whom, and where; in one sentence that fits no
other event of its world."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from whoknew.engine.exams.naming import listed
from whoknew.engine.exams.origin import RULE
from whoknew.engine.exams.roles import Lives, WholeSpeech, meant_for, speeches
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Doubted
from whoknew.eventlog.words import words

LEAST, MOST = 5, 25
"""Words of what is quoted: fewer could be said anywhere, more nobody asks."""

SPEECHES = 3
"""An episode in which fewer things are said is no scene."""

_IN, _ON, _AT = (
    [
        "antechamber",
        "ante-room",
        "apartment",
        "attic",
        "camp",
        "castle",
        "cave",
        "cell",
        "cellar",
        "chamber",
        "church",
        "churchyard",
        "closet",
        "country",
        "court",
        "field",
        "fields",
        "forest",
        "gallery",
        "garden",
        "hall",
        "house",
        "kitchen",
        "lane",
        "library",
        "loft",
        "monastery",
        "office",
        "orchard",
        "palace",
        "pantry",
        "park",
        "place",
        "prison",
        "room",
        "school",
        "shop",
        "smokehouse",
        "square",
        "store",
        "street",
        "tavern",
        "tent",
        "tomb",
        "vault",
        "wood",
        "woods",
    ],
    [
        "battlements",
        "beach",
        "bridge",
        "deck",
        "heath",
        "hill",
        "landing",
        "pier",
        "plain",
        "platform",
        "quay",
        "road",
        "roof",
        "shore",
        "stairs",
        "steps",
        "terrace",
        "wall",
        "walls",
    ],
    ["altar", "counter", "door", "gate", "gates", "station", "table", "weir", "well", "window"],
)
_PREPOSITIONS = {
    noun: how for how, some in (("in", _IN), ("on", _ON), ("at", _AT)) for noun in some
}
"""What stands before a place, by the first of these words that it has."""

_BEGINS = re.compile(r"(?:^|(?<=, ))(?:The|Another|An|A|In|At|On|Before)\b")
"""Words of a place that are written small in the middle of a sentence."""


class SpokenBeside(Struct, frozen=True):
    """What was said right before an event, or right after it; `heard` by these for certain."""

    seq: int
    who: str
    words: str
    heard: frozenset[str]


class AskedEvent(Struct, frozen=True, kw_only=True):
    """What happened, in slots: it can be put in words for whoever is asked. It was `heard` by these for
    certain; `unsure` are those of whom the story leaves that open. `beside` and `knowing` are nothing in
    what is so: the slots that a false sentence fills with what was not."""

    world: str
    seq: int
    episode: int
    who: str
    quote: str
    did: str = "said"
    to: tuple[str, ...] = ()
    place: str = ""
    beside: str = ""
    knowing: AskedEvent | None = None
    last: SpokenBeside | None = None
    next: SpokenBeside | None = None
    """What somebody else said before it and next: nothing where nobody did, or several at once."""
    heard: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    origin: ClassVar = RULE

    def is_by(self, who: str) -> bool:
        return self.who == who

    @property
    def first(self) -> int:
        return self.seq

    @property
    def seqs(self) -> tuple[int, ...]:
        return (self.seq,)

    def told(self, you: str = "", *, by: bool = False) -> str:
        """It in one clause of the past: to one of its people, who is called `you`, or `by` that one."""
        subject, other = ("I", "me") if by else ("you", "you")
        to = listed([other if name == you else name for name in self.to]) if self.to else ""
        return "".join(
            (
                subject if self.who == you else self.who,
                f", who knew by then that {self.knowing.told(you, by=by)}," if self.knowing else "",
                f" {self.did}",
                f" to {to}" if to else "",
                f" {self.where}" if self.place else "",
                f", beside {self.beside}" if self.beside else "",
                f', "{self.quote}"',
            )
        )

    @property
    def where(self) -> str:
        """Its place as it stands in a sentence."""
        return _in_sentence(self.place)


@lru_cache(1024)
def _in_sentence(place: str) -> str:
    place = re.sub(r"\.\s+", ", ", place.strip().rstrip("."))
    return _placed(_BEGINS.sub(lambda found: found[0].lower(), place))


def _placed(place: str) -> str:
    """With what stands before it: "on the quay"; and of a town, where in it: "in Elsinore, on a platform"."""
    if place.startswith(("in ", "at ", "on ", "before ")):
        return place
    nouns = [word for word in re.findall(r"[a-z-]+", place.lower()) if word in _PREPOSITIONS]
    if not nouns:
        return f"at {place}"
    town, _, there = place.partition(", ")
    if nouns[0] not in town.lower():
        return f"in {town}, {_placed(there).removeprefix('in ')}"
    if place.lower().startswith(nouns[0]):
        place = f"{'an' if nouns[0][0] in 'aeo' else 'a'} {place[0].lower()}{place[1:]}"
    return f"{_PREPOSITIONS[nouns[0]]} {place}"


def asked_events(lives: Lives, events: Sequence[Event]) -> list[AskedEvent]:
    """Of each speech of a scene the longest sentence that stands nowhere else. What several say at once
    is left out."""
    doubts: Doubts = defaultdict(frozenset)
    for event in events:
        if isinstance(event.body, Doubted):
            doubts[event.cause or 0] |= {*event.body.names}
    scenes: dict[int, list[WholeSpeech]] = {}
    for speech in speeches(events):
        scenes.setdefault(speech.events[0].episode, []).append(speech)
    return [
        found
        for scene in scenes.values()
        if len(scene) >= SPEECHES
        for place in range(len(scene))
        if (found := _of_speech(lives, scene, place, doubts))
    ]


Doubts = defaultdict[int, frozenset[str]]
"""Of whom the story leaves open whether they witnessed an event."""


def _of_speech(
    lives: Lives, scene: Sequence[WholeSpeech], place: int, doubts: Doubts
) -> AskedEvent | None:
    speech = scene[place]
    found = [(event, quote) for event in speech.events for quote in _quotes(lives, event)]
    if len(speech.names) > 1 or not found:
        return None
    event, quote = max(found, key=lambda pair: len(words(pair[1])))
    before = _neighbour(scene, place - 1, speech) if event is speech.events[0] else None
    after = _neighbour(scene, place + 1, speech) if event is speech.events[-1] else None
    return AskedEvent(
        world=lives.world,
        seq=event.seq,
        episode=event.episode,
        who=speech.who,
        quote=quote,
        did="said aside" if meant_for(event) == (speech.who,) else "said",
        to=tuple(name for name in meant_for(event) if name != speech.who),
        place=event.place or "",
        last=_beside(before.events[-1], before.ending, doubts) if before else None,
        next=_beside(after.events[0], after.beginning, doubts) if after else None,
        heard=_heard(event, doubts),
        unsure=doubts[event.seq],
    )


def _beside(event: Event, told: str, doubts: Doubts) -> SpokenBeside:
    return SpokenBeside(event.seq, event.actor or "", _unquoted(told), _heard(event, doubts))


def _heard(event: Event, doubts: Doubts) -> frozenset[str]:
    return frozenset(event.witnesses) - doubts[event.seq]


def _neighbour(scene: Sequence[WholeSpeech], place: int, speech: WholeSpeech) -> WholeSpeech | None:
    """The speech before or behind one, where one other speaks it."""
    if not 0 <= place < len(scene):
        return None
    found = scene[place]
    return found if len(found.names) == 1 and found.who != speech.who else None


def _quotes(lives: Lives, event: Event) -> Iterator[str]:
    """Sentences that can be quoted: as long as they should be, and found nowhere else."""
    for sentence in WholeSpeech(event.actor or "", (event,), 0).sentences:
        quote = _unquoted(sentence)
        if LEAST <= len(words(quote)) <= MOST and lives.once(quote):
            yield quote


_SHORTENED = re.compile(r"'(?:t(?:is|was|were|will|would)|gainst|gins|em|scape)\b", re.IGNORECASE)
"""Words that begin with what is no quotation mark."""


def _unquoted(text: str) -> str:
    bare = text.replace('"', "").strip(" .,;:-'")
    return f"'{bare}" if _SHORTENED.search(f"'{bare}") and f"'{bare}" in text else bare
