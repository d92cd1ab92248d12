"""The plan of a life: which arcs it goes through, when each of them moves on, and what is to happen on
which day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Literal

from msgspec import Struct

from whoknew.worlds.lives.bank import (
    DIMENSIONS,
    Anchor,
    ArcSketch,
    Habit,
    LifeBank,
    MatterSketch,
    Wish,
)
from whoknew.worlds.lives.people import LifeCast
from whoknew.worlds.lives.wording import Wording, slots

DAY = timedelta(days=1)


class LifeLength(Struct, frozen=True, kw_only=True):
    """How long a life is, and how much is written of it: so many `arcs` of each dimension, so many
    everyday events and errands a day, so many thoughts in a diary page."""

    days: int
    arcs: int
    wishes: int
    everyday: float
    errands: float
    thoughts: int


LENGTHS: Mapping[str, LifeLength] = {
    "short": LifeLength(days=364, arcs=2, wishes=2, everyday=2.0, errands=3.5, thoughts=4),
    "long": LifeLength(days=1092, arcs=4, wishes=4, everyday=3.8, errands=7.5, thoughts=6),
    "longest": LifeLength(days=2184, arcs=4, wishes=4, everyday=3.8, errands=7.5, thoughts=6),
}
"""About 100,000 tokens, 520,000 and 1,030,000."""

PlannedSort = Literal["turn", "arc", "echo", "shown", "habit", "wish", "settled", "kept"]


class PlannedEvent(Struct, frozen=True):
    """What is to happen: of the arc, habit, wish or matter with this number; of an arc's anchor, and which
    of its situations; of a matter, how often it was settled before."""

    sort: PlannedSort
    of: int
    anchor: int = 0
    situation: int = 0


class PlannedArc(Struct, frozen=True, kw_only=True):
    """An arc of this life: what it draws, by anchor, and the days on which its states begin."""

    sketch: ArcSketch
    bound: tuple[dict[str, str], ...]
    standings: tuple[str, ...]
    begins: tuple[date, ...]

    def at(self, day: date) -> int | None:
        """Where it stands on a day, after what happens on it; None before it begins."""
        reached = [place for place, begins in enumerate(self.begins) if begins <= day]
        return reached[-1] if reached else None

    def anchor(self, place: int) -> Anchor:
        return self.sketch.anchors[place]


class PlannedMatter(Struct, frozen=True, kw_only=True):
    """A matter of this life: what holds of it one after another, and from which days on."""

    sketch: MatterSketch
    values: tuple[str, ...]
    begins: tuple[date, ...]


class LifePlan(Struct, frozen=True, kw_only=True):
    """All of it; `days` has what is to happen on each, in this order."""

    begins: date
    length: LifeLength
    arcs: tuple[PlannedArc, ...]
    habits: tuple[Habit, ...]
    wishes: tuple[Wish, ...]
    wished: tuple[dict[str, str], ...]
    matters: tuple[PlannedMatter, ...]
    days: dict[date, tuple[PlannedEvent, ...]]


def life_plan(
    draw: Random, bank: LifeBank, cast: LifeCast, length: LifeLength, wording: Wording
) -> LifePlan:
    begins = first_day(draw)
    sketches = _sketches(draw, bank.arcs, length.arcs)
    dates = turning_days(draw, begins, length.days, [len(one.anchors) for one in sketches])
    arcs = tuple(
        _planned(sketch, wording, cast, begins)
        for sketch, begins in zip(sketches, dates, strict=True)
    )
    habits = tuple(
        draw.choice([one for one in bank.habits if one.dimension == of]) for of in DIMENSIONS
    )
    wishes = tuple(draw.sample(bank.wishes, length.wishes))
    matters = tuple(_matters(draw, bank, begins, length))
    days: dict[date, list[PlannedEvent]] = defaultdict(list)
    for day, event in _of_matters(draw, matters, begins + DAY * (length.days - 1)):
        days[day].append(event)
    for day, event in _scheduled(draw, begins, length, arcs, habits, wishes):
        days[day].append(event)
    return LifePlan(
        begins=begins,
        length=length,
        arcs=arcs,
        habits=habits,
        wishes=wishes,
        wished=tuple(_drawn(one.draw, wording, cast.own) for one in wishes),
        matters=matters,
        days={day: tuple(some) for day, some in days.items()},
    )


def first_day(draw: Random) -> date:
    """A Monday."""
    day = date(draw.randint(2019, 2022), draw.randint(1, 9), 1)
    return day + DAY * (-day.weekday() % 7)


def _sketches(draw: Random, some: Sequence[ArcSketch], each: int) -> list[ArcSketch]:
    """So many of each dimension, as far as there are, of which none clashes with another."""
    found: list[ArcSketch] = []
    for dimension in DIMENSIONS:
        mine = [one for one in some if one.dimension == dimension]
        taken = 0
        for one in draw.sample(mine, len(mine)):
            clash = any(one.id in other.clashes or other.id in one.clashes for other in found)
            if taken < each and not clash:
                found.append(one)
                taken += 1
    return found


APART = 14
"""So many days at least a state lasts."""


def turning_days(
    draw: Random, begins: date, days: int, states: Sequence[int]
) -> list[tuple[date, ...]]:
    """The days on which each arc, of so many states, moves on: never two on one day."""
    taken: set[date] = set()
    found: list[tuple[date, ...]] = []
    for place, count in enumerate(states):
        first = 1 + place * 2 + draw.randint(0, days // 12)
        last = days - 24 - draw.randint(0, days // 8)
        step = (last - first) / (count - 1)
        offset = first
        mine: list[date] = []
        for number in range(count):
            within = draw.uniform(-0.3, 0.3) * step if 0 < number < count - 1 else 0
            wanted = first + step * number + within
            offset = max(round(wanted), offset + APART if mine else round(wanted))
            while begins + DAY * offset in taken:
                offset += 1
            mine.append(begins + DAY * offset)
            taken.add(mine[-1])
        found.append(tuple(mine))
    return found


def _planned(
    sketch: ArcSketch, wording: Wording, cast: LifeCast, begins: tuple[date, ...]
) -> PlannedArc:
    shared = _drawn(sketch.draw, wording, cast.own)
    bound: list[dict[str, str]] = []
    standings: list[str] = []
    for anchor in sketch.anchors:
        own = shared | _drawn(anchor.draw, wording, cast.own)
        own |= loose((anchor.state, anchor.trigger, anchor.shown), own, wording, cast.own)
        bound.append(own)
        standings.append(wording.word(anchor.now.list, cast.own) if anchor.now else "")
    return PlannedArc(sketch=sketch, bound=tuple(bound), standings=tuple(standings), begins=begins)


def _drawn(draw: Mapping[str, str], wording: Wording, own: Mapping[str, str]) -> dict[str, str]:
    return {name: wording.word(of, own) for name, of in draw.items()}


def loose(
    templates: Sequence[str], bound: Mapping[str, str], wording: Wording, own: Mapping[str, str]
) -> dict[str, str]:
    """A word for each name in these that stands for no person and was not drawn yet: so that it is the
    same wherever it stands."""
    names = dict.fromkeys(name for text in templates for name in slots(text))
    return {
        name: wording.fill(f"{{{name}}}", own)
        for name in names
        if name not in bound and name not in own
    }


def _scheduled(
    draw: Random,
    begins: date,
    length: LifeLength,
    arcs: Sequence[PlannedArc],
    habits: Sequence[Habit],
    wishes: Sequence[Wish],
) -> Iterator[tuple[date, PlannedEvent]]:
    last = begins + DAY * (length.days - 1)
    for number, arc in enumerate(arcs):
        for place, start in enumerate(arc.begins):
            end = arc.begins[place + 1] - DAY if place + 1 < len(arc.begins) else last
            yield start, PlannedEvent("turn", number, place)
            yield from _of_state(draw, arc, number, place, (start + DAY, end))
    for number in range(len(habits)):
        for day in _in_months(
            _spread(draw, begins, last, max(5, length.days // 55)), habits[number].months, last
        ):
            yield day, PlannedEvent("habit", number)
    for number in range(len(wishes)):
        for day in _spread(draw, begins, last, max(5, length.days // 60)):
            yield day, PlannedEvent("wish", number)


def _in_months(days: Sequence[date], months: Sequence[int], last: date) -> Iterator[date]:
    """Each day, or the next one after it that is in these months and was not taken yet."""
    taken: set[date] = set()
    for day in days:
        while day <= last and (day in taken or (months and day.month not in months)):
            day += DAY
        if day <= last:
            taken.add(day)
            yield day


ECHO = 9
"""Every so many days an arc is thought of, where nothing happens in it."""


def _of_state(
    draw: Random, arc: PlannedArc, number: int, place: int, span: tuple[date, date]
) -> Iterator[tuple[date, PlannedEvent]]:
    first, last = span
    days = (last - first).days + 1
    situations = range(len(arc.anchor(place).situations))
    room = max(1, min(days, 45) // (len(situations) + 1))
    for which in situations:
        day = first + DAY * min(days - 1, room * which + draw.randint(0, room - 1))
        yield day, PlannedEvent("arc", number, place, which)
    for sort, count in (("shown", 2), ("echo", max(1, days // ECHO))):
        for day in _spread(draw, first, last, count):
            yield day, PlannedEvent("shown" if sort == "shown" else "echo", number, place)


MATTERS = 3
"""So many matters of each dimension a life has."""

HOLDS = 90
"""About so many days what is settled holds."""

COMES_BACK = 24
"""Every so many days one comes back to it."""


def _matters(
    draw: Random, bank: LifeBank, begins: date, length: LifeLength
) -> Iterator[PlannedMatter]:
    """What is settled is settled otherwise the next time; what held long before may hold again."""
    for dimension in DIMENSIONS:
        mine = [one for one in bank.matters if one.dimension == dimension]
        for sketch in draw.sample(mine, MATTERS):
            days = _spread(draw, begins, begins + DAY * (length.days - 30), length.days // HOLDS)
            some, values = [one for one in bank.lists[sketch.list] if "{" not in one], list[str]()
            for _ in days:
                values.append(draw.choice([one for one in some if one not in values[-1:]]))
            yield PlannedMatter(sketch=sketch, values=tuple(values), begins=tuple(days))


def _of_matters(
    draw: Random, matters: Sequence[PlannedMatter], last: date
) -> Iterator[tuple[date, PlannedEvent]]:
    for number, matter in enumerate(matters):
        ends = [one - DAY for one in matter.begins[1:]] + [last]
        for place, (first, end) in enumerate(zip(matter.begins, ends, strict=True)):
            yield first, PlannedEvent("settled", number, place)
            count = (end - first).days // COMES_BACK
            for day in _spread(draw, first + DAY, end, count) if count else ():
                yield day, PlannedEvent("kept", number, place)


def _spread(draw: Random, first: date, last: date, count: int) -> list[date]:
    """So many days, about as far from one another."""
    days = (last - first).days + 1
    room = days / count
    return [
        first + DAY * min(days - 1, int(room * place + draw.random() * room))
        for place in range(count)
    ]
