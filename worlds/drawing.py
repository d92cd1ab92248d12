"""A life drawn from a bank: scenarios that fit two people, in an order that the seed decides."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from whoknew.worlds.bank import Bank, Sketch
from whoknew.worlds.errors import WorldError
from whoknew.worlds.people import Pair
from whoknew.worlds.setting import Character


class TooFew(WorldError):
    """A bank has fewer scenarios that fit than are to be played."""


def fits(sketch: Sketch, pair: Pair) -> bool:
    """Whether these two can play it: by their ages, where those are known, and their trades."""
    ages = sketch.ages or ((0, 200), (0, 200))
    trades = sketch.occupations or ((), ())
    return all(
        _fits(one, range_, trade) for one, range_, trade in zip(pair, ages, trades, strict=True)
    )


def drawn(bank: Bank, pair: Pair, episodes: int, hard: int, seed: str) -> list[Sketch]:
    """So many ordinary ones without repeat, in an order drawn from the seed; then the hard ones, in
    the bank's own order."""
    fitting = [one for one in bank.sketches if fits(one, pair)]
    ordinary = [one for one in fitting if not one.hard]
    difficult = [one for one in fitting if one.hard]
    for what, wanted, there in (("", episodes, ordinary), ("hard ", hard, difficult)):
        if len(there) < wanted:
            who = " and ".join(one.name for one in pair)
            raise TooFew(
                f"{wanted} {what}scenarios are wanted, but the bank {bank.name!r} has "
                f"{len(there)} that fit {who}: ask for fewer, or give another bank"
            )
    return [*Random(seed).sample(ordinary, episodes), *difficult[:hard]]


def _fits(one: Character, ages: Sequence[int], trades: Sequence[str]) -> bool:
    least, most = ages
    aged = one.age is None or least <= one.age <= most
    return aged and (not trades or one.occupation.casefold() in map(str.casefold, trades))
