"""A life drawn from a bank: scenarios that fit two people, in an order that the seed decides."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from whoknew.worlds.bank import Bank, Sketch
from whoknew.worlds.errors import TooFew
from whoknew.worlds.people import Pair
from whoknew.worlds.setting import Character


def fits(sketch: Sketch, pair: Pair) -> bool:
    """Whether these two can play it: by their ages, where those are known, and their trades."""
    ages = sketch.ages or ((0, 200), (0, 200))
    trades = sketch.occupations or ((), ())
    return all(
        _fits(one, range_, trade) for one, range_, trade in zip(pair, ages, trades, strict=True)
    )


def drawn(bank: Bank, pair: Pair, episodes: int, hard: int, seed: str) -> list[Sketch]:
    """So many ordinary ones without repeat, in an order drawn from the seed, those among them that
    the hard ones need; then these, in the bank's own order."""
    fitting = [one for one in bank.sketches if fits(one, pair)]
    ordinary = [one for one in fitting if not one.hard]
    there = {one.name for one in ordinary}
    difficult = [one for one in fitting if one.needs and there.issuperset(_needs([one]))]
    for what, wanted, found in (("", episodes, ordinary), ("hard ", hard, difficult)):
        if len(found) < wanted:
            who = " and ".join(one.name for one in pair)
            raise TooFew(
                f"{wanted} {what}scenarios are wanted, but the bank {bank.name!r} has "
                f"{len(found)} that fit {who}: ask for fewer, or give another bank"
            )
    chosen = difficult[:hard]
    needed = [one for one in ordinary if one.name in _needs(chosen)]
    if len(needed) > episodes:
        raise TooFew(
            f"{hard} hard scenarios of the bank {bank.name!r} need {len(needed)} earlier ones, but "
            f"only {episodes} are to be played: play more, or fewer hard ones"
        )
    chance = Random(seed)
    others = [one for one in ordinary if one not in needed]
    life = [*needed, *chance.sample(others, episodes - len(needed))]
    chance.shuffle(life)
    return [*life, *chosen]


def _needs(hard: Sequence[Sketch]) -> set[str]:
    """The names of the earlier ones that these depend on."""
    return {need.sketch for one in hard for need in one.needs}


def _fits(one: Character, ages: Sequence[int], trades: Sequence[str]) -> bool:
    least, most = ages
    aged = one.age is None or least <= one.age <= most
    return aged and (not trades or one.occupation.casefold() in map(str.casefold, trades))
