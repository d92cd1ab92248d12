"""How long a life is that a model writes, and how much is written of it; what is fixed of it before
anything is asked, by its seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise
from random import Random
from typing import Literal

from msgspec import Struct

from whoknew.worlds.lives.bank import DIMENSIONS, Dimension, life_bank
from whoknew.worlds.lives.life import LifeContact, LifePersona
from whoknew.worlds.lives.people import KNOWN_LATER, cast_of
from whoknew.worlds.lives.plan import DAY, first_day, turning_days
from whoknew.worlds.lives.weeks import WEEK
from whoknew.worlds.lives.wording import Wording


class LifeSize(Struct, frozen=True, kw_only=True):
    """So many `arcs` of each dimension, each of so many `states`; in each phase so many `events` at most,
    and so many `traces` of each of them."""

    days: int
    arcs: int
    states: int
    events: int
    traces: int


SIZES: Mapping[str, LifeSize] = {
    "trial": LifeSize(days=112, arcs=1, states=3, events=3, traces=2),
    "short": LifeSize(days=364, arcs=2, states=4, events=6, traces=3),
    "long": LifeSize(days=1092, arcs=3, states=6, events=14, traces=4),
}
"""At 100 to 150 tokens a trace: some 10,000 tokens, some 100,000, some 600,000."""

TURNING = 10
"""So many days at most an arc is on the turn."""


class MajorDay(Struct, frozen=True, kw_only=True):
    """The day on which the arc of this number comes into its state of this number."""

    day: date
    arc: int
    into: int


class PhaseDays(Struct, frozen=True, kw_only=True):
    """Some days of a life, with so many `events`; `major` is the turn on the first of them, if one is."""

    name: Literal["turning", "settling"]
    begins: date
    ends: date
    events: int
    major: MajorDay | None = None


class FixedLife(Struct, frozen=True, kw_only=True):
    """All of it that its seed says: names, traits, days. Of the persona and its contacts, only what they
    are called and how old they are is taken."""

    source: str
    seed: int
    size: LifeSize
    persona: LifePersona
    contacts: tuple[LifeContact, ...]
    begins: date
    arcs: tuple[tuple[Dimension, tuple[date, ...]], ...]

    @classmethod
    def of(cls, length: str, seed: int) -> FixedLife:
        size, draw = SIZES[length], Random(f"{seed}/{length}/written")
        cast = cast_of(draw, life_bank().people)
        begins = first_day(draw)
        dimensions: list[Dimension] = [one for one in DIMENSIONS for _ in range(size.arcs)]
        days = turning_days(draw, begins, size.days, [size.states] * len(dimensions))
        return cls(
            source=f"{length}:{seed}",
            seed=seed,
            size=size,
            persona=cast.persona,
            contacts=tuple(one for one in cast.contacts if one.role not in KNOWN_LATER),
            begins=begins,
            arcs=tuple(zip(dimensions, days, strict=True)),
        )

    @property
    def name(self) -> str:
        """What its world is called."""
        return f"{self.persona.name}, {self.source.replace(':', ' ')}"

    @property
    def ends(self) -> date:
        return self.begins + DAY * (self.size.days - 1)

    @property
    def majors(self) -> list[MajorDay]:
        """All of them, as they come."""
        found = [
            MajorDay(day=day, arc=number, into=into)
            for number, (_, days) in enumerate(self.arcs)
            for into, day in enumerate(days)
        ]
        return sorted(found, key=lambda one: one.day)

    def phases(self, number: int) -> Iterator[PhaseDays]:
        """From the major event of a number, from 0, up to the next: on the turn, then settling."""
        first = [one.day for one in self.majors]
        major = self.majors[number]
        until = [after - DAY for _, after in pairwise(first)] + [self.ends]
        middle = min(until[number], major.day + DAY * TURNING)
        yield self._phase("turning", major.day, middle, major)
        if middle < until[number]:
            yield self._phase("settling", middle + DAY, until[number])

    def _phase(
        self,
        name: Literal["turning", "settling"],
        begins: date,
        ends: date,
        major: MajorDay | None = None,
    ) -> PhaseDays:
        events = min(self.size.events, 2 * ((ends - begins).days + 1))
        return PhaseDays(name=name, begins=begins, ends=ends, events=events, major=major)

    @property
    def moments(self) -> list[date]:
        """The Mondays on which is asked."""
        found = [self.begins + 8 * WEEK]
        while found[-1] + 4 * WEEK <= self.ends:
            found.append(found[-1] + 4 * WEEK)
        return found

    def ideas(self, number: int, count: int) -> list[str]:
        """Little things that could happen in the phase of a number, from our own bank."""
        draw, bank = Random(f"{self.source}/ideas/{number}"), life_bank()
        wording = Wording(draw, {**bank.lists, **bank.voices})
        named = {one.role: one.name.split()[0] for one in self.contacts}
        named |= {f"they_{one.role}": "she" if one.woman else "he" for one in self.contacts}
        named |= {f"their_{one.role}": "her" if one.woman else "his" for one in self.contacts}
        first = self.persona.name.split()[0]
        named |= {"me": first, "me_too": first, "my": f"{first}'s", "town": self.persona.town}
        found: list[str] = []
        for one in draw.sample(bank.everyday, len(bank.everyday)):
            if len(found) == count:
                break
            drawn = {name: wording.word(kind, named) for name, kind in one.draw.items()}
            try:
                found.append(wording.fill(one.fact, {**named, **drawn}))
            except KeyError:
                continue  # of somebody who is not in this life
        return found
