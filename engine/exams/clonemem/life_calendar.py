"""A life week by week: how much was written, in which medium, how it was inside, where each arc stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from statistics import mean

from msgspec import Struct, field

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Felt, Traced

DAYS = 7


class LifeWeek(Struct, frozen=True, kw_only=True):
    """A week that begins on a Monday, and ends with the event `seq`. Energy and stress are means, None where
    nothing was felt; the emotion is the one that was felt most."""

    begins: date
    seq: int
    traces: Mapping[str, int]
    energy: float | None = None
    stress: float | None = None
    emotion: str = ""
    arcs: Mapping[str, str] = {}
    """Where each stands at its end."""


class LifeCalendar(Struct, frozen=True):
    """All weeks of the life that a world holds, those in which nothing was written, too."""

    world: str
    weeks: tuple[LifeWeek, ...]

    @property
    def media(self) -> tuple[str, ...]:
        """What it writes, the commonest first."""
        every = Counter[str]()
        for week in self.weeks:
            every.update(week.traces)
        return tuple(medium for medium, _ in every.most_common())

    @property
    def arcs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(arc for week in self.weeks for arc in week.arcs))

    def states(self, arc: str) -> tuple[str, ...]:
        """Where an arc stood, one after another."""
        stood = (week.arcs[arc] for week in self.weeks if arc in week.arcs)
        return tuple(state for state, _ in groupby(stood))


class _Week(Struct):
    """One that is being read."""

    seq: int = 0
    traces: Counter[str] = field(default_factory=Counter)
    felt: list[Felt] = field(default_factory=list)


async def calendar_of(world: str, events: AsyncIterator[Event]) -> LifeCalendar:
    """The fold of a world, event by event. It has no weeks where nothing was written in it, as in worlds
    of conversations."""
    read: dict[date, _Week] = {}
    written = False
    async for event in events:
        body = event.body
        if isinstance(body, Traced | Felt):
            day = event.at.date()
            week = read.setdefault(day - timedelta(days=day.weekday()), _Week())
            week.seq = event.seq
            if isinstance(body, Traced):
                written = True
                week.traces[body.medium] += 1
            else:
                week.felt.append(body)
    return LifeCalendar(world, tuple(_weeks(read)) if written else ())


def _weeks(read: Mapping[date, _Week]) -> Iterable[LifeWeek]:
    begins, last = min(read), max(read)
    arcs: dict[str, str] = {}
    seq = 0
    while begins <= last:
        one = read.get(begins, _Week(seq=seq))
        seq = one.seq
        for felt in one.felt:
            arcs |= felt.arcs
        emotions = Counter(felt.emotion for felt in one.felt if felt.emotion).most_common(1)
        yield LifeWeek(
            begins=begins,
            seq=seq,
            traces=dict(one.traces),
            energy=_mean([felt.energy for felt in one.felt]),
            stress=_mean([felt.stress for felt in one.felt]),
            emotion=emotions[0][0] if emotions else "",
            arcs=dict(arcs),
        )
        begins += timedelta(days=DAYS)


def _mean(some: Sequence[float | None]) -> float | None:
    known = [one for one in some if one is not None]
    return mean(known) if known else None
