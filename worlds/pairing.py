"""Scenarios with the two who play each of them."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from whoknew.worlds.bank import Bank, Sketch
from whoknew.worlds.drawing import fits
from whoknew.worlds.people import Pair, People
from whoknew.worlds.relationship import Relationship


class PairedScene(Struct, frozen=True):
    """A scenario, who plays it, and how the two stand to each other."""

    sketch: Sketch
    pair: Pair
    relationship: Relationship


def paired(people: People, bank: Bank, pairs: int, seed: int) -> list[PairedScene]:
    """Each scenario of a bank with so many of the pairs that it fits, or as many as there are: drawn
    from the seed. One that depends on earlier ones cannot be played by itself."""
    known = people.pairs(bank.relationship)
    found: list[PairedScene] = []
    for sketch in (one for one in bank.sketches if not one.hard):
        fitting = [pair for pair in known if fits(sketch, pair)]
        chance = Random(f"{seed}/{sketch.name}")
        chosen = chance.sample(fitting, min(pairs, len(fitting)))
        found += [PairedScene(sketch, pair, bank.relationship) for pair in chosen]
    return found
