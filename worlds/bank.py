"""A bank: scenarios before they have a cast, for two people who stand to each other in one way."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.words import terms
from whoknew.worlds.document import Fault, joined
from whoknew.worlds.relationship import Relationship
from whoknew.worlds.setting import Need, Part, Scenario

Side = Literal["first", "second"]
SIDES: tuple[Side, Side] = ("first", "second")

COPY = 0.6
"""Two sketches that share so much of their words are one and the same."""


_BRACED = re.compile(r"\{\w*\}")


class Earlier(Part, frozen=True):
    """What a hard sketch depends on: what one side did in the episode of an earlier sketch."""

    sketch: str
    by: Side
    words: str = ""


class Origin(Part, frozen=True):
    """Where a sketch comes from that no person wrote: the model, what it was shown and told."""

    model: str
    shown: tuple[str, ...]
    inspiration: str
    digest: str


class Sketch(Part, frozen=True):
    """A scenario without its people, who are `{first}` and `{second}` wherever they are named.

    `over` is the point on which they disagree. `goals` are private, and so is what one of each
    thing in the `pool` is `worth`. `lines` are what each might say: a model may do without, the
    offline one cannot. `ages` and `occupations` say who fits; a hard sketch `needs` earlier ones.
    `key` is what it is known by where it was taken from.
    """

    name: str
    text: str
    over: str
    goals: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...] = ()
    pool: dict[str, int] = msgspec.field(default_factory=dict)
    worth: tuple[dict[str, int], ...] = ()
    turns: int | None = None
    ages: tuple[tuple[int, ...], ...] = ()
    occupations: tuple[tuple[str, ...], ...] = ()
    needs: tuple[Earlier, ...] = ()
    origin: Origin | None = None
    key: str = ""

    @property
    def hard(self) -> bool:
        return bool(self.needs)

    def cast(self, first: str, second: str, speechless: Collection[Side] = ()) -> Scenario:
        """The scenario that two people play; those who have nothing to say of their own are given
        their lines."""
        names = dict(zip(SIDES, (first, second), strict=True))

        def named(text: str) -> str:
            for side, name in names.items():
                text = text.replace(f"{{{side}}}", name)
            return text

        goals = {
            name: named(text.strip()) for name, text in zip(names.values(), self.goals, strict=True)
        }
        for (side, name), lines in zip(names.items(), self.lines, strict=False):
            said = [f'Say: "{_escaped(named(line))}"' for line in lines if side in speechless]
            goals[name] = "\n".join([goals[name], *said])
        return Scenario(
            self.name,
            named(self.text.strip()),
            (first, second),
            goals,
            turns=self.turns,
            stale=4 if self.pool else None,
            pool=self.pool,
            worth=dict(zip(names.values(), self.worth, strict=True) if self.pool else ()),
            needs=tuple(Need(one.sketch, names[one.by], one.words) for one in self.needs),
            key=self.key,
        )


class Bank(Part, frozen=True):
    name: str
    relationship: Relationship
    sketches: tuple[Sketch, ...]
    about: str = ""


def faults(bank: Bank) -> Iterator[Fault]:
    """What is wrong with a bank whose every value is of the right kind."""
    names = [one.name for one in bank.sketches]
    ordinary = [one.name for one in bank.sketches if not one.hard]
    for number, one in enumerate(bank.sketches):
        key = f"sketches[{number}]"
        if one.name in names[:number]:
            yield f"{key}.name", f"is {one.name!r}, as an earlier one is"
        yield from sketch_faults(one, key)
        for place, need in enumerate(one.needs):
            if need.sketch not in ordinary:
                what = f"{need.sketch!r} is no earlier sketch: {nearest(need.sketch, ordinary)}"
                yield f"{key}.needs[{place}].sketch", what
    for earlier, later in copies(bank.sketches):
        yield (
            f"sketches[{later}]",
            f"{names[later]!r} is nearly a copy of {names[earlier]!r}: tell another story",
        )


def sketch_faults(one: Sketch, key: str) -> Iterator[Fault]:
    if not one.name or one.name != one.name.strip() or not one.name.isprintable():
        yield (
            f"{key}.name",
            f"is {one.name!r}: use printable characters, and no space at either end",
        )
    for field, text in (("text", one.text), ("over", one.over)):
        if not text.strip():
            yield f"{key}.{field}", "is empty"
    said = [one.text, *one.goals, *(line for lines in one.lines for line in lines)]
    for braced in _BRACED.findall(" ".join(said)):
        if braced not in ("{first}", "{second}"):
            yield key, f"names {braced}, but the two are {{first}} and {{second}}"
    for number, goal in enumerate(one.goals):
        if not goal.strip():
            yield f"{key}.goals[{number}]", "is empty: each side wants something"
    if len(one.goals) != len(SIDES):
        yield f"{key}.goals", f"has {len(one.goals)} goals: give one for each side"
    elif one.goals[0].strip() == one.goals[1].strip():
        yield f"{key}.goals", "both sides want the same: then there is nothing to disagree on"
    parts = (("lines", one.lines), ("ages", one.ages), ("occupations", one.occupations))
    for field, both in parts:
        if len(both) not in (0, len(SIDES)):
            yield f"{key}.{field}", f"has {len(both)} parts: give one for each side"
    for number, ages in enumerate(one.ages):
        if len(ages) != 2 or ages[0] > ages[1]:
            yield f"{key}.ages[{number}]", "is no range: give the lowest and the highest age"
    if one.turns is not None and one.turns < 1:
        yield f"{key}.turns", f"is {one.turns}, but should be 1 at least"
    yield from _pool(one, key)


def copies(sketches: Sequence[Sketch]) -> Iterator[tuple[int, int]]:
    """The places of sketches that are nearly the same, the earlier one first."""
    words = [_words(one) for one in sketches]
    for (one, mine), (other, theirs) in combinations(enumerate(words), 2):
        if likeness(mine, theirs) >= COPY:
            yield one, other


def near_copy(one: Sketch, others: Sequence[Sketch]) -> str | None:
    """The sketch that this one is nearly a copy of."""
    mine = _words(one)
    return next((other.name for other in others if likeness(mine, _words(other)) >= COPY), None)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """What part of the words of the shorter one the two share."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _words(one: Sketch) -> frozenset[str]:
    return frozenset(terms(f"{one.text} {' '.join(one.goals)}")) - frozenset(SIDES)


def _pool(one: Sketch, key: str) -> Iterator[Fault]:
    if not one.pool and one.worth:
        yield f"{key}.worth", "says what things are worth, but there is no `pool` of things"
    if one.pool and len(one.worth) != len(SIDES):
        yield f"{key}.worth", f"has {len(one.worth)} parts: give what things are worth to each side"
    for item, count in one.pool.items():
        if count < 1:
            yield joined(f"{key}.pool", item), f"is {count}, but should be 1 at least"
    for number, worth in enumerate(one.worth):
        yield from _worth(worth, one.pool, f"{key}.worth[{number}]")


def _worth(worth: Mapping[str, int], pool: Mapping[str, int], key: str) -> Iterator[Fault]:
    for item in sorted({*worth, *pool}):
        if item not in pool:
            yield joined(key, item), f"is not in the pool: {nearest(item, pool)}"
        elif item not in worth:
            yield key, f"says nothing of {item!r}: give its points"
        elif worth[item] < 0:
            yield joined(key, item), f"is {worth[item]}, but should be 0 at least"


def _escaped(text: str) -> str:
    """As it stands in a direction, which is one line."""
    return text.replace("\n", " ").replace('"', '\\"')
