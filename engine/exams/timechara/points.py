"""Moments of a story at which its characters are asked: time points, in the order in which they come."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from msgspec import Struct

from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtMark
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced

GivenPoints = Mapping[str, Sequence[str]]
"""Cursors under labels, as a plan gives them: several moments can have one label."""


class TimePoint(Struct, frozen=True, order=True):
    """A moment: up to and including `seq`, to which the cursor `at` comes. What happened at that very
    seq is past."""

    seq: int
    label: str
    at: str


async def time_points(log: Log, world: str, given: GivenPoints) -> list[TimePoint]:
    """Those that are `given`, or else the ends of episodes and the marks that are no secrets: in the order of the
    story, whatever the order in which they are listed; of two at one place the first."""
    named = [(label, at) for label, some in given.items() for at in some]
    found = [
        TimePoint((await log.cursor(world, at)).seq, label, at)
        for label, at in named or await _usual(log, world)
    ]
    first: dict[int, TimePoint] = {}
    for point in found:
        first.setdefault(point.seq, point)
    return sorted(first.values())


def distance(points: Sequence[TimePoint], point: TimePoint, seq: int) -> int:
    """How many points lie between an event and a point, itself counted: 0 where the event is of the
    stretch that the point ends, below that where it comes later."""
    return points.index(point) - bisect_left(points, seq, key=lambda one: one.seq)


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
