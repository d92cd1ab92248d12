"""A setting: what a world is made of before anything happens in it.

Characters, places, how people stand to one another, and the scenarios that they are to live
through. `worlds/library/` holds those that come with Whoknew.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple

from whoknew.eventlog.frozen_dict import freeze
from whoknew.eventlog.kinds import State
from whoknew.worlds.relationship import Relationship

Order = Literal["round-robin", "simultaneous", "random"]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a setting; a key that it does not know is a mistake, and said to be one. Judges are
    handed it: what is in its dicts stays as it is."""

    def __post_init__(self) -> None:
        for field, value in zip(self.__struct_fields__, astuple(self), strict=True):
            if isinstance(value, dict):
                freeze(self, field)


class Character(Part, frozen=True):
    """A person. What others know of it follows from how they stand to it: `relationship.py`. `key`
    is what it is known by where it was taken from, such as in Sotopia's database. Its `conditions` last from the
    world's beginning on, until a scenario ends them."""

    name: str
    looks: str = ""
    age: int | None = None
    gender: str = ""
    pronouns: str = ""
    occupation: str = ""
    public: str = ""
    nature: str = ""
    secret: str = ""
    key: str = ""
    conditions: tuple[Literal["deaf", "blind", "invisible"], ...] = ()


class Place(Part, frozen=True):
    """Somewhere to be. Speech in the places that it `hears` is overheard here, unseen; what is done in
    those that it `sees` is seen from here, and not heard."""

    name: str
    description: str = ""
    hears: tuple[str, ...] = ()
    sees: tuple[str, ...] = ()


class Relation(Part, frozen=True):
    """How two people stand to each other; where `of` is given, how it stands to `to` alone."""

    relation: Relationship
    between: tuple[str, ...] = ()
    of: str | None = None
    to: str | None = None


class Cue(Part, frozen=True):
    """What happens just before turn `turn`, whatever the characters do: exactly one thing.

    `who` comes in (openly or hidden), steps out of hiding, or goes; or `becomes` asleep, awake, deaf
    and so on; or it is narrated, at `place` or wherever somebody is.
    """

    turn: int
    who: str | None = None
    enters: Literal["openly", "hidden"] | None = None
    leaves: Literal[True] | None = None
    becomes: State | None = None
    narrates: str | None = None
    place: str | None = None


class Need(Part, frozen=True):
    """Earlier events that decide here: what `who` did in the episode of `scenario`, as far as it
    holds some of `words`, or else whatever it offered there. A query on the log."""

    scenario: str
    who: str
    words: str = ""


class Scenario(Part, frozen=True):
    """What one episode plays. `cast` are those in the room when it opens, at `place` or as
    `where` says, `hidden` and `asleep` some of them; others come by `turnings`. What there is to divide stands in `pool`, and what one
    of each is `worth` to whom. A hard one `needs` what was learnt in earlier ones. `key` is what
    it is known by where it was taken from."""

    name: str
    text: str
    cast: tuple[str, ...]
    goals: dict[str, str] = {}
    place: str | None = None
    where: dict[str, str] = {}
    hidden: tuple[str, ...] = ()
    asleep: tuple[str, ...] = ()
    begins: datetime | None = None
    order: Order | None = None
    turns: int | None = None
    stale: int | None = None
    pool: dict[str, int] = {}
    worth: dict[str, dict[str, int]] = {}
    turnings: tuple[Cue, ...] = ()
    needs: tuple[Need, ...] = ()
    key: str = ""

    @property
    def exits(self) -> tuple[str, ...]:
        """Its places, where it plays in several: one can go from each to the others."""
        named = [self.place, *self.where.values(), *(one.place for one in self.turnings)]
        places = tuple(dict.fromkeys(place for place in named if place))
        return places if len(places) > 1 else ()

    def coming(self, turn: int) -> list[Cue]:
        """What it lets happen after a turn."""
        return [one for one in self.turnings if one.turn > turn]


class Setting(Part, frozen=True):
    """`begins` is the story time of the first episode; each turn takes `pace` seconds, and an
    episode without a time of its own begins `gap` hours after the one before it opened.
    """

    name: str
    title: str
    begins: datetime
    characters: tuple[Character, ...]
    scenarios: tuple[Scenario, ...]
    description: str = ""
    places: tuple[Place, ...] = ()
    relations: tuple[Relation, ...] = ()
    seed: int = 0
    pace: int = 20
    gap: int = 24
