"""A world as far as it is asked about: what happened in it, who can be asked, at which moments, and what each
knew there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

from whoknew.agents.lines import line
from whoknew.engine.exams.roles import Lives
from whoknew.engine.exams.timechara.asked_events import AskedEvent, asked_events
from whoknew.engine.exams.timechara.chapters import Chapters
from whoknew.engine.exams.timechara.event_sentences import (
    GIVEN,
    SHIPPED,
    EventSentence,
    ToldEvent,
    ToldWorld,
    sentences_of,
)
from whoknew.engine.exams.timechara.fakes import FalseWorld
from whoknew.engine.exams.timechara.labels import Mode
from whoknew.engine.exams.timechara.points import (
    GivenPoints,
    TimePoint,
    WorldPoints,
    time_points,
)
from whoknew.engine.travel.family import firsts
from whoknew.engine.travel.whereabouts import Stand, after
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.knowledge import SURE, Answer, Knowledge, Known
from whoknew.eventlog.stores.store import is_name
from whoknew.eventlog.words import words
from whoknew.worlds.errors import BadDocument, Mistake

Reach = Literal["world", "book"]
"""How far from an event the moments can lie at which it is asked of: anywhere in its world; or, as the
authors' code draws them, in its own book where it is past, and where it comes later in that too, or else in
the one before."""

PointsOf = Callable[[str, Chapters], GivenPoints]
"""The points that are given for a world of such chapters."""

ALWAYS = 0.9
"""Who is in so many of all scenes is not asked whether it was there."""

AROUND = 3
"""So many events before and behind one a judge reads."""

_LEAST: Sequence[Answer] = ("present", "told", "absent", "future")

SomeEvent = AskedEvent | ToldEvent
"""What is asked of: a speech, or what somebody told in a sentence."""


class AskedFor(Struct, frozen=True, kw_only=True):
    """What is drawn: `each` of structured ones on the future, on where one was and on where one was not,
    of free ones on the future and on the past, and of false ones. People who say something `speeches`
    times at least are asked. Where `unsure` is given, also of what is open: what somebody may have
    witnessed, and what one was told by tellings that were found, and are at least so sure. `events` is a
    file of events that are told in a sentence; those of worlds that come with Whoknew, where none is given."""

    each: int
    speeches: int
    mode: Mode
    seed: int
    points: PointsOf = lambda world, chapters: GivenPoints()
    reach: Reach = "world"
    unsure: float | None = None
    events: Path | None = None


class AskedWorld:
    """A world, as far as it is asked about."""

    told: Sequence[ToldEvent] = ()
    """Events of it that are told in a sentence."""

    def __init__(
        self,
        lives: Lives,
        events: Sequence[Event],
        points: WorldPoints,
        *,
        known: dict[int, Knowledge],
        open_to: dict[int, Knowledge],
        wanted: AskedFor,
        began_as: str,
    ) -> None:
        """`known` is who knew what at each of the points, by its seq; `open_to` the same by tellings
        that are as sure as is wanted, where it is asked of those. A fork `began_as` another world."""
        self.name, self.points, self.wanted = lives.world, points, wanted
        self.began_as = began_as
        self.events = asked_events(lives, events)
        self.everybody = sorted(lives.roles)
        self.people = sorted(
            role.name
            for role in lives.roles.values()
            if role.spoken >= wanted.speeches
            and role.episodes
            and points.of(role.name)
            and is_name(role.name)
            and role.name not in lives.shared
        )
        self._first = {one: lives.roles[one].episodes[0].events[0].seq for one in self.people}
        scenes = {event.episode for event in events if event.episode}
        self.always = {
            one for one in self.people if len(lives.roles[one].episodes) >= ALWAYS * len(scenes)
        }
        self.told_in = ToldWorld(lives.world, events, list(lives.roles))
        self._known, self._open_to = known, open_to
        self._chapters = Chapters(events)
        spoken = frozenset(word for event in events for word in words(event.text))
        self.false = FalseWorld(self.events, self.people, spoken)
        self._lines = {one.seq: one for one in events if line(0, one)}
        self._bystanders = _bystanders(events)
        self._said = {one.seq: one.text.removeprefix(f"{one.actor}: ") for one in events}

    def behind(self, event: SomeEvent, who: str) -> list[TimePoint]:
        """Where somebody who has been seen by then can be asked of an event that is past."""
        book = self._book(event.seq)
        return [
            one
            for one in self.asked_at(who)
            if one.seq >= event.seq and (self._anywhere or self._book(one.seq) == book)
        ]

    def ahead(self, event: SomeEvent, who: str) -> list[TimePoint]:
        """Where it can be asked of an event that comes later."""
        earlier = [one for one in self.asked_at(who) if one.seq < event.first]
        if self._anywhere:
            return earlier
        book = self._book(event.seq)
        same = [one for one in earlier if self._book(one.seq) == book]
        return same or [one for one in earlier if self._book(one.seq) == book - 1]

    @property
    def _anywhere(self) -> bool:
        return self.wanted.reach == "world"

    def _book(self, seq: int) -> int:
        return self._chapters.book(seq)

    def is_bystander(self, event: SomeEvent, who: str) -> bool:
        """Whether somebody was where it happened, and did not perceive it, as what is whispered: it can say
        neither that it was there then, nor that it was not."""
        return any(who in self._bystanders.get(seq, ()) for seq in event.seqs)

    def asked_at(self, who: str) -> list[TimePoint]:
        """Where somebody can be asked at all: who has been seen by then."""
        return [one for one in self.points.of(who) if one.seq >= self._first[who]]

    def known(self, event: SomeEvent, who: str, point: TimePoint) -> Known:
        """Of several events as much as of the one of which it is least."""
        return _least(self._known[point.seq], event, who)

    def open_to(self, event: SomeEvent, who: str, point: TimePoint) -> Known:
        """The same by tellings that are as sure as is wanted."""
        return _least(self._open_to[point.seq], event, who)

    def then(self, event: SomeEvent) -> Knowledge:
        """Who knew what at the first point behind an event: what was not known then was not known when
        it happened."""
        return next(known for seq, known in self._known.items() if seq >= event.seq)

    def said(self, seq: int) -> str:
        """What was said at an event, without who said it."""
        return self._said.get(seq, "")

    def scene(self, event: SomeEvent) -> str:
        """What was said and done around an event in its episode, for judges."""
        near = {
            at
            for seq in event.seqs
            for at in range(seq - AROUND, seq + AROUND + 1)
            if at in self._lines and self._lines[at].episode == self._lines[seq].episode
        }
        around = (" ".join(self._lines[at].text.split()) for at in sorted(near))
        return " / ".join(filter(None, around))


async def asked_worlds(log: Log, names: Iterable[str], wanted: AskedFor) -> list[AskedWorld]:
    """Those of these worlds in which there are points at which one could ask."""
    names, found = list(names), list[AskedWorld]()
    told = await sentences_of(names, wanted.events)
    first = firsts(await log.worlds())
    for name in names:
        events = await (await log.director(name)).events()
        points = await time_points(log, name, wanted.points(name, Chapters(events)))
        if every := points.every:
            known = await _known(log, name, every, SURE)
            sure = wanted.unsure
            open_to = {} if sure is None else await _known(log, name, every, sure)
            lives = Lives(name, events)
            world = AskedWorld(
                lives,
                events,
                points,
                known=known,
                open_to=open_to,
                wanted=wanted,
                began_as=first[name],
            )
            placed = partial(_placed, world.told_in, told.get(name, ()), wanted.events)
            world.told = await asyncio.to_thread(placed)
            found.append(world)
    return found


def _bystanders(events: Iterable[Event]) -> dict[int, frozenset[str]]:
    """By what was done those who stood by and did not perceive it."""
    found: dict[int, frozenset[str]] = {}
    stand = Stand()
    for event in events:
        stand = after(stand, event)
        if isinstance(event.body, Acted) and event.actor:
            places = {**stand.openly, **stand.hidden}
            place = places.get(event.actor, event.place)
            here = {who for who, at in places.items() if at == place}
            if unaware := frozenset(here.difference(event.witnesses, (event.actor,))):
                found[event.seq] = unaware
    return found


async def _known(
    log: Log, world: str, points: Iterable[TimePoint], sure: float
) -> dict[int, Knowledge]:
    return {one.seq: await log.knowledge(world, one.at, sure=sure) for one in points}


def _least(known: Knowledge, event: SomeEvent, who: str) -> Known:
    some = [known.of(seq, who) for seq in event.seqs]
    return max(some, key=lambda one: _LEAST.index(one.answer))


def _placed(
    world: ToldWorld, some: Sequence[tuple[int, EventSentence]], file: Path | None
) -> list[ToldEvent]:
    """Of a file that is given all have to be there. Those that come with Whoknew hold for its worlds as
    they are played offline: of others, those that happened there, too."""
    placed, mistakes = list[ToldEvent](), list[Mistake]()
    for number, one in some:
        found = world.placed(one, SHIPPED if file is None else GIVEN)
        if isinstance(found, ToldEvent):
            placed.append(found)
        elif file is not None:
            mistakes.append(Mistake(str(file), number, "evidence", found))
    if mistakes:
        raise BadDocument(mistakes)
    return placed
