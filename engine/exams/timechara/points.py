"""Moments of a story at which its characters are asked: time points, in the order in which they come."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtMark
from whoknew.eventlog.errors import BadCursor, NoSuchMoment
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced
from whoknew.worlds.document import joined

KEY = "points"
"""Where a plan says them."""

Labelled = Mapping[str, tuple[str, ...]]
"""Cursors under labels: several moments can have one label."""

Listed = Sequence[tuple[str, str]]
"""Labels, each with a cursor, in whatever order."""


class GivenPoints(Struct, frozen=True):
    """Moments that somebody has said: for `everyone`, and for characters of their `own`."""

    everyone: Listed = ()
    own: Mapping[str, Listed] = {}

    def __bool__(self) -> bool:
        return bool(self.everyone or self.own)


class TimePoint(Struct, frozen=True, order=True):
    """A moment: up to and including `seq`, to which the cursor `at` comes. What happened at that very
    seq is past."""

    seq: int
    label: str
    at: str


class WorldPoints(Struct, frozen=True):
    """The moments of a world: for `everyone`, and for characters who have some of their `own`."""

    everyone: Sequence[TimePoint] = ()
    own: Mapping[str, Sequence[TimePoint]] = {}

    def of(self, who: str) -> Sequence[TimePoint]:
        return self.own.get(who, self.everyone)

    @property
    def every(self) -> list[TimePoint]:
        """All of them, whoever has them; one of those at each place."""
        return _in_order([*self.everyone, *(one for some in self.own.values() for one in some)])


def given_points(table: Mapping[str, tuple[str, ...] | Labelled]) -> GivenPoints:
    """Those of the table of a plan: labels with their cursors, and characters with such a table of their
    own."""
    own = {who: _listed(some) for who, some in table.items() if isinstance(some, Mapping)}
    everyone = {label: some for label, some in table.items() if isinstance(some, tuple)}
    return GivenPoints(_listed(everyone), own)


async def time_points(log: Log, world: str, given: GivenPoints) -> WorldPoints:
    """Those that are `given`, or else the ends of episodes and the marks that are no secrets: in the order of the
    story, whatever the order in which they are listed; of two at one place the first. Where some are
    given for characters alone, nobody else is asked. WrongPlan where a world has no such moment."""
    if not given:
        return WorldPoints(await _found(log, world, KEY, await _usual(log, world)))
    own = {who: await _found(log, world, joined(KEY, who), some) for who, some in given.own.items()}
    return WorldPoints(await _found(log, world, KEY, given.everyone), own)


def distance(points: Sequence[TimePoint], point: TimePoint, seq: int) -> int:
    """How many points lie between an event and a point, itself counted: 0 where the event is of the
    stretch that the point ends, below that where it comes later."""
    return points.index(point) - bisect_left(points, seq, key=lambda one: one.seq)


_DISTANCE = "distance "


def distance_tag(apart: int) -> str:
    return f"{_DISTANCE}{apart}"


def distance_of(tags: Iterable[str]) -> int | None:
    """What one of them says, if it does."""
    found = (one.removeprefix(_DISTANCE) for one in tags if one.startswith(_DISTANCE))
    return next((int(one) for one in found if _WHOLE.fullmatch(one)), None)


_WHOLE = re.compile(r"-?[0-9]{1,6}")


def _listed(table: Labelled) -> Listed:
    return [(label, at) for label, some in table.items() for at in some]


async def _found(log: Log, world: str, key: str, listed: Listed) -> list[TimePoint]:
    found = list[TimePoint]()
    for label, at in listed:
        try:
            found.append(TimePoint((await log.cursor(world, at)).seq, label, at))
        except (NoSuchMoment, BadCursor) as error:
            raise WrongPlan(
                f"{joined(key, label)}: {error}; ask at a moment that each of the worlds has, or say "
                "under worlds which the exam is about"
            ) from None
    return _in_order(found)


def _in_order(points: Iterable[TimePoint]) -> list[TimePoint]:
    first: dict[int, TimePoint] = {}
    for point in points:
        first.setdefault(point.seq, point)
    return sorted(first.values())


async def _usual(log: Log, world: str) -> list[tuple[str, str]]:
    names: dict[int, str] = {}
    found: list[tuple[str, str]] = []
    for event in await log.landmarks(world, (await log.head(world)).seq):
        match event.body:
            case EpisodeOpened(name=name):
                names[event.episode] = name
            case EpisodeClosed():
                number = event.episode
                found.append(
                    (f"the end of {names.get(number) or f'episode {number}'}", f"E{number}")
                )
            case MarkPlaced(name=name, secret=False):
                found.append((name, str(AtMark(name))))
            case _:
                pass
    return found
