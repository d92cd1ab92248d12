"""Events to ask of that stand in a file, each told in one sentence: given, or those of the worlds that
come with Whoknew."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from whoknew.agents.lines import line
from whoknew.engine.exams.timechara.fakes import STRATEGIES
from whoknew.engine.exams.timechara.free import ASKING, FreeQuestion
from whoknew.engine.exams.timechara.sentence_checks import one_sentence
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Doubted
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.words import STOP_WORDS, words
from whoknew.worlds import json_lines, shelf
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.question import EventName

MOST_EVIDENCE = 12

GIVEN, SHIPPED = "given", "shipped"
"""Where a sentence comes from that no rule and no model wrote."""


class FakeSentence(Struct, frozen=True, kw_only=True):
    """What was not so, by one of the `STRATEGIES`: `false` stands in its `sentence` where in what
    happened `true` stands, or nothing. `question` asks of it as if it were so, and `answer` says what
    is."""

    strategy: str
    sentence: str
    true: str = ""
    false: str
    question: str
    answer: str


class EventSentence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened in a `world`, in one sentence of the past that fits nothing else there. `evidence`
    are the events that it tells of: the seq of each, its id in its source, or words that stand in it
    and in no other event. `facts` are questions on it, each with its answer."""

    world: str
    sentence: str
    evidence: tuple[EventName, ...]
    facts: tuple[FreeQuestion, ...] = ()
    fakes: tuple[FakeSentence, ...] = ()


class ToldEvent(Struct, frozen=True, kw_only=True):
    """One of them, where it stands in its world: from its first event to its last. `unsure` are those
    who witnessed a part of it, or of whom the story leaves open whether they did."""

    world: str
    seqs: tuple[int, ...]
    episode: int
    sentence: str
    clause: str
    """It without its full stop, as it stands behind "when"."""
    facts: tuple[FreeQuestion, ...] = ()
    fakes: tuple[FakeSentence, ...] = ()
    unsure: frozenset[str] = frozenset()
    origin: str = GIVEN

    @property
    def first(self) -> int:
        return self.seqs[0]

    @property
    def seq(self) -> int:
        return self.seqs[-1]

    def is_by(self, who: str) -> bool:
        """Whether its sentence begins with somebody, however the world spells names: in capitals, perhaps."""
        return self.sentence.casefold().startswith(f"{who.casefold()} ")

    @property
    def quote(self) -> str:
        """What of it somebody names who tells of it."""
        return self.sentence

    def told(self, you: str = "", *, by: bool = False) -> str:
        """It as a clause: the same to everybody, as in the paper, but that one whom it names is told so."""
        return addressed(self.clause, you, "that is me" if by else "you")


def addressed(text: str, who: str, called: str = "you") -> str:
    """A text in which the first mention of somebody says who that is: to whom it is put, or by whom it is
    said. Whose of something somebody is stays as it is."""
    if not who:
        return text
    named = re.compile(rf"\b{re.escape(who)}\b(?!['\u2019])", re.IGNORECASE)
    return named.sub(rf"\g<0> ({called})", text, count=1)


def read(path: Path) -> list[tuple[int, EventSentence]]:
    """Those of a file, each with its line; a BadDocument lists all that is wrong. To be called on a
    thread."""
    return json_lines.read(path, EventSentence, faults)


def faults(one: EventSentence) -> Iterator[Fault]:
    """What can be wrong with one whatever its world is."""
    if wrong := one_sentence(one.sentence):
        yield "sentence", wrong.why
    if not 1 <= len(one.evidence) <= MOST_EVIDENCE:
        yield "evidence", f"names {len(one.evidence)} events: name 1 to {MOST_EVIDENCE}"
    for number, fact in enumerate(one.facts):
        if fact.word not in ASKING:
            yield f"facts[{number}].word", f"is {fact.word!r}: {nearest(fact.word, ASKING)}"
        yield from _empty(f"facts[{number}]", fact.text, fact.answer, fact.key)
    for number, fake in enumerate(one.fakes):
        if fake.strategy not in STRATEGIES:
            why = nearest(fake.strategy, STRATEGIES)
            yield f"fakes[{number}].strategy", f"is {fake.strategy!r}: {why}"
        yield from _empty(f"fakes[{number}]", fake.false, fake.question, fake.answer)


def _empty(key: str, *texts: str) -> Iterator[Fault]:
    if not all(text.strip() for text in texts):
        yield key, "has an empty text: write it, or leave all of it out"


async def sentences_of(
    names: Sequence[str], file: Path | None
) -> Mapping[str, Sequence[tuple[int, EventSentence]]]:
    """Of each of these worlds its sentences, each with its line: of a file where one is given, else those
    that come with Whoknew."""
    found: dict[str, list[tuple[int, EventSentence]]] = defaultdict(list)
    if file is None:
        for name in names:
            if (shipped := shelf.events_of(name)) is not None:
                found[name] = await asyncio.to_thread(read, shipped)
        return found
    for number, one in await asyncio.to_thread(read, file):
        if one.world not in names:
            what = f"{one.world!r} is no world of this exam: {nearest(one.world, names)}"
            raise BadDocument([Mistake(str(file), number, "world", what)])
        found[one.world].append((number, one))
    return found


class ToldWorld:
    """A world in which sentences are looked for."""

    def __init__(self, world: str, events: Sequence[Event], names: Sequence[str]) -> None:
        """`names` are those of its people."""
        self._world, self.people = world, tuple(names)
        self._events = {one.seq: one for one in events if one.episode and line(0, one)}
        self._sources: dict[str, list[int]] = defaultdict(list)
        for one in events:
            if one.source is not None:
                self._sources[one.source].append(one.seq)
        self._doubts: dict[int, set[str]] = defaultdict(set)
        for one in events:
            if isinstance(one.body, Doubted):
                self._doubts[one.cause or 0].update(one.body.names)
        self._names = frozenset(word for name in names for word in name.split())

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {seq: _plain(one.text) for seq, one in self._events.items()}

    def placed(self, one: EventSentence, origin: str) -> ToldEvent | str:
        """Where it stands, or why it stands nowhere."""
        seqs: set[int] = set()
        for name in one.evidence:
            found = self._seqs(name)
            if len(found) != 1:
                where = "in no event" if not found else f"in {len(found)} events"
                return (
                    f"{name!r} stands {where} of {self._world!r} in which something is said or done"
                )
            seqs.update(found)
        return self.of(one, sorted(seqs), origin)

    def of(self, one: EventSentence, seqs: Sequence[int], origin: str) -> ToldEvent:
        """The same of one whose events are known."""
        some = [self._events[seq] for seq in seqs]
        anybody = {who for event in some for who in event.witnesses}
        in_part = {who for who in anybody if any(who not in event.witnesses for event in some)}
        return ToldEvent(
            world=self._world,
            seqs=tuple(seqs),
            episode=some[-1].episode,
            sentence=one.sentence,
            clause=self._clause(one.sentence),
            facts=one.facts,
            fakes=one.fakes,
            unsure=self.doubted(some) | in_part,
            origin=origin,
        )

    def doubted(self, events: Iterable[Event]) -> frozenset[str]:
        """Of whom the story leaves open whether they witnessed some of these."""
        return frozenset(who for one in events for who in self._doubts.get(one.seq, ()))

    def _seqs(self, name: EventName) -> list[int]:
        if isinstance(name, int):
            return [name] if name in self._events else []
        if name in self._sources:
            return [seq for seq in self._sources[name] if seq in self._events]
        wanted = _plain(name)
        return (
            [seq for seq, text in self._texts.items() if wanted in text] if wanted.strip() else []
        )

    def _clause(self, sentence: str) -> str:
        """An ordinary word loses its capital."""
        text = re.sub(r'\.("?)$', r"\1", sentence.strip())
        first = re.split(r"[\s,']", text, maxsplit=1)[0]
        small = first.casefold() in STOP_WORDS and first not in self._names and first != "I"
        return text[:1].lower() + text[1:] if small else text


def _plain(text: str) -> str:
    return f" {' '.join(words(text))} "
