"""People before they have a story: characters, and how they stand to one another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from whoknew.worlds.document import Fault
from whoknew.worlds.faults import least_faults, name_faults, relation_faults
from whoknew.worlds.relationship import Relationship
from whoknew.worlds.setting import Character, Part, Relation

Pair = tuple[Character, Character]


class People(Part, frozen=True):
    name: str
    begins: datetime
    characters: tuple[Character, ...]
    relations: tuple[Relation, ...]

    def pairs(self, relationship: Relationship) -> list[Pair]:
        """Those who stand so to each other, in the order in which they are listed."""
        by_name = {one.name: one for one in self.characters}
        return [
            (by_name[one.between[0]], by_name[one.between[1]])
            for one in self.relations
            if one.relation == relationship and one.between
        ]


def faults(people: People) -> Iterator[Fault]:
    known = [one.name for one in people.characters]
    yield from name_faults(known, "characters")
    yield from least_faults(len(known), 2, "characters", "character")
    for number, one in enumerate(people.relations):
        yield from relation_faults(one, known, f"relations[{number}]")
