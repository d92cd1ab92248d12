"""How somebody acts, as a small tree of if-then statements, each checked against what it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from whoknew.agents.lines import Line

SHOWN = 32
"""So many actions are looked at for one statement, the newest."""

PROPOSED = 3
"""So many statements are proposed for one set of actions."""

FEW = 3
"""A statement that fewer actions bear on says nothing."""


class Deed(Struct, frozen=True):
    """Something that was done, and the scene that it was done in."""

    done: Line
    scene: tuple[Line, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """Of the scene, and of what was done in it."""
        return (*(one.place for one in self.scene), self.done.place)


class IfThen(Struct, frozen=True):
    """In scenes where it is so (`when`), this is what is done (`does`)."""

    when: str
    does: str


class Borne(Struct, frozen=True):
    """Of the actions that were looked at: those to whose scene a statement applies, and those of them that
    bear it out. By their numbers, from 0 on."""

    applies: tuple[int, ...]
    holds: tuple[int, ...]


class HabitRule(Struct, frozen=True, kw_only=True):
    """A statement: `right` of `of` actions bore it out. Where those are too few for it to hold as it is, it
    is but the condition of `narrower` ones."""

    said: IfThen
    right: int
    of: int
    holds: bool
    places: tuple[int, ...] = ()
    narrower: tuple[HabitRule, ...] = ()

    def told(self, depth: int = 0) -> Iterator[str]:
        """As text, a statement a line."""
        does = f"{self.said.does} ({self.right} of {self.of})" if self.holds else ""
        yield f"{'  ' * depth}If {self.said.when}: {does}".rstrip()
        for one in self.narrower:
            yield from one.told(depth + 1)

    def rests_on(self) -> Iterator[int]:
        """The places of the actions that it was checked against, and of their scenes."""
        yield from self.places
        for one in self.narrower:
            yield from one.rests_on()


class TreeLimits(Struct, frozen=True, kw_only=True):
    """What is borne out so often holds (`accept`); what is so seldom does not (`reject`); what lies between
    is looked at more closely, `depth` statements deep at most, where there are `least` actions."""

    depth: int = 3
    accept: float = 0.8
    reject: float = 0.5
    least: int = 9

    @property
    def most_calls(self) -> int:
        """Each set of actions is asked about once, and once for each statement on it."""
        sets: int = sum(PROPOSED**level for level in range(self.depth))
        return (1 + PROPOSED) * sets


class Asking(Protocol):
    """Who finds statements, and says what bears them out."""

    async def proposed(self, deeds: Sequence[Deed], within: Sequence[IfThen]) -> Sequence[IfThen]:
        """What may be the rule in these scenes, which are `within` what other statements are about."""
        ...

    async def borne(self, said: IfThen, deeds: Sequence[Deed]) -> Borne: ...


async def grown(
    asking: Asking, deeds: Sequence[Deed], limits: TreeLimits, within: tuple[IfThen, ...] = ()
) -> tuple[HabitRule, ...]:
    """The statements that hold, and those under which narrower ones do."""
    deeds = deeds[-SHOWN:]
    if len(deeds) < limits.least or len(within) >= limits.depth:
        return ()
    found: list[HabitRule] = []
    known = set(within)
    for said in (await asking.proposed(deeds, within))[:PROPOSED]:
        if said not in known:
            known.add(said)
            if habit := await _checked(asking, said, deeds, limits, within):
                found.append(habit)
    return tuple(found)


async def _checked(
    asking: Asking,
    said: IfThen,
    deeds: Sequence[Deed],
    limits: TreeLimits,
    within: tuple[IfThen, ...],
) -> HabitRule | None:
    """What is left of a statement when it was checked."""
    borne = await asking.borne(said, deeds)
    right, of = len(borne.holds), len(borne.applies)
    if of < FEW or right / of <= limits.reject:
        return None
    holds = right / of >= limits.accept
    narrower: tuple[HabitRule, ...] = ()
    if not holds:
        some = [deeds[number] for number in borne.applies]
        narrower = await grown(asking, some, limits, (*within, said))
        if not narrower:
            return None
    places = tuple(place for number in borne.applies for place in deeds[number].places)
    return HabitRule(said=said, right=right, of=of, holds=holds, places=places, narrower=narrower)
