"""What each character of a world lived through, episode by episode: what it can be asked about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct, field

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, Doubted
from whoknew.eventlog.words import STOP_WORDS, sentences, words
from whoknew.worlds.anonymiser import COMMON

ROW = 4
"""So many words in a row tell one place of a world from all others, if they stand there once."""

LEAST = 3
"""Letters of a word by which somebody is called."""

SHORTEST = 4
"""So many of the first letters of a name may stand for it, be it with others behind them: "Helen"."""

LONGEST_QUOTE = 30
LONGEST_ANSWER = 40
"""Words of what is quoted in a question, and in its reference."""

_WORD = re.compile(r"[^\W_]+")

_OTHERWISE = re.compile(r"(?:or|alias|called|known as) ", re.IGNORECASE)
"""What a card begins with that tells another name: "or Robin Goodfellow"."""


class WholeSpeech(Struct, frozen=True, dict=True):
    """What somebody said in one go: in several events, where a stage direction stands in it. `at` is
    its place among all speeches of its episode, whoever heard them."""

    who: str
    events: tuple[Event, ...]
    at: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All who said it."""
        return (self.who, *dict.fromkeys(one for event in self.events for one in _also(event)))

    @cached_property
    def sentences(self) -> list[str]:
        return [one for event in self.events for one in _sentences(_spoken(event))]

    @property
    def seqs(self) -> tuple[int, ...]:
        return tuple(one.seq for one in self.events)

    @cached_property
    def beginning(self) -> str:
        """The sentences that it begins with."""
        told = " ".join(_enough(_sentences(_spoken(self.events[0]))))
        cut = told.split()
        return told if len(cut) <= LONGEST_ANSWER else " ".join([*cut[:LONGEST_ANSWER], "..."])

    def told_from(self, place: int) -> str:
        """Its sentences from one on, until there are words enough to know them by."""
        return " ".join(_enough(self.sentences[place:]))

    @cached_property
    def ending(self) -> str:
        """The sentences that it ends with, in their order; nothing where they are too short or too long
        to be known by."""
        backwards = _enough(reversed(_sentences(_spoken(self.events[-1]))))
        quote = " ".join(reversed(backwards))
        return quote if ROW < len(words(quote)) <= LONGEST_QUOTE else ""


class RoleEpisode(Struct):
    """One episode as a character lived it. `unsure` are those of whom it heard a part, or of whom the
    story leaves open what it heard, who asked something just before it came, and who spoke with others,
    which may mean all or some of them: what it heard of anybody else is all there is."""

    number: int
    events: list[Event] = field(default_factory=list)
    speeches: list[WholeSpeech] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)

    @property
    def place(self) -> str:
        """Where it was; nothing where that changed."""
        return next(iter(self.places)) if len(self.places) == 1 else ""


class Role(Struct):
    """A character: its episodes, and what it witnessed `outside` of them: before the story, or between
    two. `doubtful` are the events of which the story leaves open whether it witnessed them."""

    name: str
    outside: list[Event] = field(default_factory=list)
    episodes: list[RoleEpisode] = field(default_factory=list)
    doubtful: set[int] = field(default_factory=set)
    spoken: int = 0


class Lives:
    """All roles of a world, by name, and which rows of words stand in it but once."""

    def __init__(self, world: str, events: Sequence[Event]) -> None:
        """Of all that happened in a world, in one pass."""
        self.world = world
        self.roles: dict[str, Role] = {}
        self._episodes: dict[tuple[str, int], RoleEpisode] = {}
        self.cards: Counter[str] = Counter()
        """How many characters a description is for."""
        self.card_of: dict[str, str] = {}
        self.shared: set[str] = set()
        """Names that several people have, of whom nobody knows which is there in which episode."""
        self._rows: Counter[tuple[str, ...]] = Counter()
        self._small: set[str] = set()
        """Words that somebody says in small letters, as no name is said."""
        renamed: set[str] = set()
        for event in events:
            if isinstance(event.body, Doubted):
                for name in event.body.names:
                    self._role(name).doubtful.add(event.cause or 0)
            elif not event.body.outside_story:
                self._take(event)
            if isinstance(event.body, CharacterAdded):
                self.cards[event.body.description] += 1
                self.card_of[event.body.name] = event.body.description
                if _is_of_several(event.body.name, event.body.description):
                    self.shared.add(event.body.name)
                if _OTHERWISE.match(event.body.description):
                    renamed.add(event.body.name)
        doubts: dict[int, list[str]] = {}
        for role in self.roles.values():
            for seq in role.doubtful:
                doubts.setdefault(seq, []).append(role.name)
        before: WholeSpeech | None = None
        for speech in speeches(events):
            self._hear(speech, [who for seq in speech.seqs for who in doubts.get(seq, ())])
            if before and before.at == speech.at - 1:
                self._hear_called(before, speech)
            before = speech
        forms = _forms(list(self.roles), self._small | STOP_WORDS)
        self.called = {name: one for name, one in forms if name not in renamed}
        """How each is called by name, of those who can be meant by nobody and nothing else."""
        self._in_names = {word for name in self.roles for word in words(name)}

    def once(self, quote: str) -> bool:
        """Whether a quotation stands in one place of the world only."""
        return any(self._rows[row] == 1 for row in _rows(quote))

    def may_name(self, name: str, text: str) -> bool:
        """Whether a text calls somebody so, or by what may be a shorter or another form of it."""
        starts = tuple(word[:SHORTEST] for word in words(name) if len(word) >= SHORTEST)
        return bool(self.called[name].search(text)) or any(
            one[0].isupper()
            and (word := one.casefold()).startswith(starts)
            and word not in self._small
            and word not in self._in_names
            for one in _WORD.findall(text)
        )

    def _role(self, name: str) -> Role:
        return self.roles.setdefault(name, Role(name))

    def _take(self, event: Event) -> None:
        for name in event.witnesses:
            role = self._role(name)
            if not event.episode:
                role.outside.append(event)
                continue
            key = (name, event.episode)
            if key not in self._episodes:
                self._episodes[key] = RoleEpisode(event.episode)
                role.episodes.append(self._episodes[key])
            lived = self._episodes[key]
            lived.events.append(event)
            if event.place:
                lived.places.add(event.place)

    def _hear(self, speech: WholeSpeech, unsure: Sequence[str]) -> None:
        for event in speech.events:
            spoken = _spoken(event)
            self._rows.update(_rows(spoken))
            self._small.update(one for one in _WORD.findall(spoken) if one.islower())
        self._role(speech.who).spoken += 1
        number = speech.events[0].episode
        heard = [set(one.witnesses) for one in speech.events]
        whole = set.intersection(*heard).difference(unsure)
        for name in whole:
            lived = self._episodes[name, number]
            lived.speeches.append(speech)
            if len(speech.names) > 1:
                lived.unsure.update(speech.names)
        for name in set.union(*heard, unsure) - whole:
            if (name, number) in self._episodes:
                self._episodes[name, number].unsure.update(speech.names)

    def _hear_called(self, before: WholeSpeech, speech: WholeSpeech) -> None:
        """Whoever comes when somebody asks ("Who is there?") may have heard that, too."""
        if before.sentences and before.sentences[-1].endswith("?"):
            for name in set(speech.events[0].witnesses) - set(before.events[-1].witnesses):
                self._episodes[name, speech.events[0].episode].unsure.update(before.names)


def speeches(events: Iterable[Event]) -> Iterator[WholeSpeech]:
    """All that is spoken, in its order: what one says in one turn is one speech."""
    held: list[Event] = []
    number, at = 0, 0
    for event in events:
        if not (event.episode and is_speech(event)):
            continue
        if held and _another(held[-1], event):
            yield WholeSpeech(held[0].actor or "", tuple(held), at)
            at, held = at + 1, []
        if event.episode != number:
            number, at = event.episode, 0
        held.append(event)
    if held:
        yield WholeSpeech(held[0].actor or "", tuple(held), at)


def is_speech(event: Event) -> bool:
    body = event.body
    return isinstance(body, Acted) and body.act == "speak" and bool(body.text and event.actor)


def _also(event: Event) -> tuple[str, ...]:
    return event.body.also if isinstance(event.body, Acted) else ()


def meant_for(event: Event) -> tuple[str, ...]:
    return event.body.to if isinstance(event.body, Acted) else ()


def _another(one: Event, other: Event) -> bool:
    return (one.actor, one.episode, one.turn) != (other.actor, other.episode, other.turn)


def _spoken(event: Event) -> str:
    return " ".join(event.body.words.split())


def _sentences(text: str) -> list[str]:
    return [one for one in sentences(text) if one]


def _enough(parts: Iterable[str]) -> list[str]:
    """The first of these sentences, until there are words enough to know them by."""
    told: list[str] = []
    count = 0
    for part in parts:
        told.append(part)
        count += len(words(part))
        if count > ROW:
            break
    return told


def _is_of_several(name: str, card: str) -> bool:
    """Whether a card lists several who have that name: "An English Doctor; A Scotch Doctor"."""
    ones = card.casefold().split("; ")
    return len(ones) > 1 and all(one.endswith(f" {name.casefold()}") for one in ones)


def _forms(names: Sequence[str], small: Container[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """For each name its words, as they stand in what others say, where all of them are its own and
    none is an ordinary word, too."""
    held = Counter(word for name in names for word in set(words(name)))
    for name in names:
        telling = [word for word in words(name) if word not in COMMON]
        if telling and all(
            held[word] == 1 and len(word) >= LEAST and word not in small for word in telling
        ):
            cased = "|".join(
                f"{re.escape(word.capitalize())}|{re.escape(word.upper())}" for word in telling
            )
            yield name, re.compile(rf"\b(?:{cased})\b")


def _rows(text: str) -> Iterator[tuple[str, ...]]:
    spoken = words(text)
    return (tuple(spoken[at : at + ROW]) for at in range(len(spoken) - ROW + 1))
