"""The questions of an exam: so many of each kind and form, drawn by seed from all worlds in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from random import Random

from msgspec import Struct, to_builtins

from whoknew.engine.exams.origin import RULE, origin_tag
from whoknew.engine.exams.roles import Lives
from whoknew.engine.exams.timechara.asked_events import AskedEvent, asked_events
from whoknew.engine.exams.timechara.fakes import STRATEGIES, FalseEvent, FalseWorld
from whoknew.engine.exams.timechara.free import FreeQuestion, false_question, free_questions
from whoknew.engine.exams.timechara.labels import (
    ABSENCE,
    FUTURE,
    ONLY,
    PRESENCE,
    Form,
    Mode,
    data_type,
)
from whoknew.engine.exams.timechara.points import GivenPoints, TimePoint, distance, time_points
from whoknew.engine.exams.timechara.templates import structured
from whoknew.engine.exams.timechara.wording import label_texts
from whoknew.eventlog import Event, Log
from whoknew.eventlog.knowledge import Knowledge, Known
from whoknew.eventlog.stores.store import is_name
from whoknew.eventlog.words import words
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question, cluster_of

ALWAYS = 0.9
"""Who is in so many of all scenes is not asked whether it was there."""

STRUCTURED, FACT, FAKE = "structured", "fact", "fake"


class AskedFor(Struct, frozen=True, kw_only=True):
    """What is drawn: `each` of structured ones on the future, on where one was and on where one was not,
    of free ones on the future and on the past, and of false ones. People who say something `speeches`
    times at least are asked."""

    each: int
    speeches: int
    mode: Mode
    seed: int
    points: GivenPoints


class AskedWorld:
    """A world, as far as it is asked about."""

    def __init__(
        self,
        lives: Lives,
        events: Sequence[Event],
        points: Sequence[TimePoint],
        known: Sequence[Knowledge],
        wanted: AskedFor,
    ) -> None:
        """`known` is who knew what at each of the points."""
        self.name, self.points, self.wanted = lives.world, points, wanted
        self.events = asked_events(lives, events)
        self.people = sorted(
            role.name
            for role in lives.roles.values()
            if role.spoken >= wanted.speeches
            and role.episodes
            and is_name(role.name)
            and role.name not in lives.shared
        )
        self._first = {one: lives.roles[one].episodes[0].events[0].seq for one in self.people}
        scenes = {event.episode for event in events if event.episode}
        self.always = {
            one for one in self.people if len(lives.roles[one].episodes) >= ALWAYS * len(scenes)
        }
        self._known = dict(zip(points, known, strict=True))
        spoken = frozenset(word for event in events for word in words(event.text))
        self.false = FalseWorld(self.events, self.people, spoken)
        self._texts = {one.seq: one.text for one in events}

    def points_of(self, who: str, *, after: int = 0, before: int | None = None) -> list[TimePoint]:
        """Where somebody can be asked who has been seen by then: past a seq, or before one."""
        least = max(after, self._first[who])
        return [
            one for one in self.points if least <= one.seq and (before is None or one.seq < before)
        ]

    def known(self, event: AskedEvent, who: str, point: TimePoint) -> Known:
        return self._known[point].of(event.seq, who)

    def then(self, event: AskedEvent) -> Knowledge:
        """Who knew what at the first point behind an event: what was not known then was not known when
        it happened."""
        return next(self._known[one] for one in self.points if one.seq >= event.seq)

    def scene(self, event: AskedEvent) -> str:
        """What was said around an event, for judges."""
        around = [
            self._texts.get(seq, "") for seq in range(event.seq - AROUND, event.seq + AROUND + 1)
        ]
        return " / ".join(" ".join(text.split()) for text in around if text)


AROUND = 3
"""So many events before and behind one a judge reads."""


async def asked_worlds(log: Log, names: Iterable[str], wanted: AskedFor) -> list[AskedWorld]:
    """Those of these worlds in which there are points at which one could ask."""
    found: list[AskedWorld] = []
    for name in names:
        events = await (await log.director(name)).events()
        points = await time_points(log, name, wanted.points)
        known = [await log.knowledge(name, point.at) for point in points]
        if points:
            found.append(AskedWorld(Lives(name, events), events, points, known, wanted))
    return found


def questions(worlds: Sequence[AskedWorld], wanted: AskedFor) -> list[Question]:
    """The same worlds give the same questions. Where a world has fewer than are wanted, others have
    more of them."""
    sorts: Sequence[tuple[Making, Sequence[str]]] = (
        (_ahead, (FUTURE,)),
        (_behind, (PRESENCE, ABSENCE)),
        (_free_ahead, (FUTURE,)),
        (_free_behind, (ONLY,)),
        (_fake, (ONLY,)),
    )
    found: dict[str, Question] = {}
    for number, (make, kinds) in enumerate(sorts):
        left: dict[str, int] = dict.fromkeys(kinds, wanted.each)
        for world, event, draw in _events(worlds, f"{wanted.seed}/{number}"):
            if not any(left.values()):
                break
            for one in make(world, event, draw):
                if left.get(one.kind) and one.id not in found and not any(unfit(to_builtins(one))):
                    found[one.id] = one
                    left[one.kind] -= 1
    return list(found.values())


Making = Callable[[AskedWorld, AskedEvent, Random], Iterator[Question]]


def _events(
    worlds: Sequence[AskedWorld], seed: str
) -> Iterator[tuple[AskedWorld, AskedEvent, Random]]:
    """All events in a random order, from each world in turn, twice: of one nothing may be had with what
    was drawn for it."""
    for turn in (1, 2):
        columns: list[list[tuple[AskedWorld, AskedEvent, Random]]] = []
        for world in worlds:
            draw = Random(f"{seed}/{world.name}/{turn}")
            columns.append(
                [
                    (world, one, Random(f"{seed}/{world.name}/{turn}/{one.seq}"))
                    for one in draw.sample(world.events, len(world.events))
                ]
            )
        for row in zip_longest(*columns):
            yield from (one for one in row if one is not None)


def _ahead(world: AskedWorld, event: AskedEvent, draw: Random) -> Iterator[Question]:
    """One main character, at a point before it."""
    if drawn := _drawn(world, draw, lambda who: world.points_of(who, before=event.seq)):
        yield _structured(world, event, *drawn, draw)


def _behind(world: AskedWorld, event: AskedEvent, draw: Random) -> Iterator[Question]:
    """All main characters, each at a point after it."""
    for who in world.people:
        points = world.points_of(who, after=event.seq)
        if who not in event.unsure and points:
            yield _structured(world, event, who, draw.choice(points), draw)


def _free_ahead(world: AskedWorld, event: AskedEvent, draw: Random) -> Iterator[Question]:
    if drawn := _drawn(world, draw, lambda who: world.points_of(who, before=event.seq)):
        yield from _free(world, event, *drawn, draw)


def _free_behind(world: AskedWorld, event: AskedEvent, draw: Random) -> Iterator[Question]:
    if drawn := _drawn(world, draw, lambda who: _knowing(world, event, who)):
        yield from _free(world, event, *drawn, draw)


def _fake(world: AskedWorld, event: AskedEvent, draw: Random) -> Iterator[Question]:
    """Each strategy as often as any other, where the event has it."""
    drawn = _drawn(world, draw, lambda who: _knowing(world, event, who))
    wanted = draw.choice(STRATEGIES)
    for told in world.false.told_falsely(event, draw, world.then(event)) if drawn else ():
        if told.strategy == wanted and drawn:
            yield _false(world, event, told, *drawn)


def _knowing(world: AskedWorld, event: AskedEvent, who: str) -> list[TimePoint]:
    """The points at which somebody is asked of an event in free form."""
    return [
        one
        for one in world.points_of(who, after=event.seq)
        if who not in event.unsure
        and _is_sure(known := world.known(event, who, one))
        and data_type(known, "free", world.wanted.mode) == ONLY
    ]


def _is_sure(known: Known) -> bool:
    """Whether it was not merely found that somebody was told, but is so by the log."""
    return known.origin in (None, "declared")


def _drawn(
    world: AskedWorld, draw: Random, points: Callable[[str], Sequence[TimePoint]]
) -> tuple[str, TimePoint] | None:
    """One of the main characters who can be asked, and a point."""
    able = [(who, some) for who in world.people if (some := points(who))]
    if not able:
        return None
    who, some = draw.choice(able)
    return who, draw.choice(some)


# each as a question


def _structured(
    world: AskedWorld, event: AskedEvent, who: str, point: TimePoint, draw: Random
) -> Question:
    known = world.known(event, who, point)
    family, text = structured(draw, event.told(who), always=who in world.always)
    return _question(world, event, known, point, text, (STRUCTURED, family))


def _free(
    world: AskedWorld, event: AskedEvent, who: str, point: TimePoint, draw: Random
) -> Iterator[Question]:
    able = list(free_questions(event, who))
    if able:
        free = draw.choice(able)
        known = world.known(event, who, point)
        yield _question(world, event, known, point, free.text, (FACT, free.word), free=free)


def _false(
    world: AskedWorld, event: AskedEvent, told: FalseEvent, who: str, point: TimePoint
) -> Question:
    known = world.known(event, who, point)
    text = false_question(told.event, who)
    return _question(world, event, known, point, text, (FAKE, told.strategy), false=told)


def _question(
    world: AskedWorld,
    event: AskedEvent,
    known: Known,
    point: TimePoint,
    text: str,
    tags: tuple[str, ...],
    *,
    free: FreeQuestion | None = None,
    false: FalseEvent | None = None,
) -> Question:
    form: Form = "structured" if tags[0] == STRUCTURED else "free"
    kind = data_type(known, form, world.wanted.mode)
    assert kind is not None
    texts = label_texts(event, known, kind, world.scene(event), free=free, false=false)
    return Question(
        world=world.name,
        character=known.character,
        at=point.at,
        question=text,
        kind=kind,
        reference=texts.reference,
        evidence=((known.at,),) if known.at else (),
        labels={**texts.labels, "point": point.label},
        cluster=cluster_of(f"episode {event.episode}", world.name),
        tags=(
            *tags,
            f"distance {distance(world.points, point, event.seq)}",
            origin_tag(RULE),
        ),
    )
