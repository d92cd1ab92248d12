"""How the clues are weighed, and how sure what comes of it is.

Fitted on 62 tellings that were read in four plays and 43 in the bundled worlds, held near to weights
of an earlier finder, and rounded: first which of its candidates a speech tells of (a conditional logit
over those speeches), then whether it tells of any (a logistic regression over all speeches). What they
find is said in `tests/data/test_tellings.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from operator import mul
from typing import NamedTuple

from msgspec.structs import astuple

from whoknew.engine.finding.candidates import Candidate
from whoknew.engine.finding.clues import Whether, Which

WHICH = Which(
    shared=0.12,
    whole=0.30,
    words_knew=0.31,
    rarest=0.07,
    concepts=0.17,
    run=0.71,
    by_named=1.16,
    unaware=1.09,
    addressed=0.55,
    since=-0.19,
    knew=1.01,
    age=-0.13,
    alone=-0.32,
    deadly=0.82,
)
"""Which happening a speech tells of."""

WHETHER = Whether(
    best=0.67,
    words=0.31,
    words_past=0.11,
    words_knew=0.19,
    by_named=1.02,
    named=0.32,
    knew=0.26,
    scenes=-0.09,
    reports=0.60,
    past=1.37,
    second=-1.18,
    third=0.99,
    asks=-1.25,
    answers=0.70,
    news=0.52,
)
"""Whether it tells of any, by the clues of the one that is spoken for most."""

NEVER = -9.37
"""What all of that must outweigh."""

CHANCE, USUAL, FEWEST = 0.49, 1000, 400
"""Among twice as many happenings twice as many share some words by chance. The plays had so many."""

FALL = 0.8
"""What is spoken for less than the best is that much less sure."""


_WHICH, _WHETHER = astuple(WHICH), astuple(WHETHER)


class Scored(NamedTuple):
    score: float
    candidate: Candidate


def scored(candidates: Sequence[Candidate], among: int) -> Iterator[Scored]:
    """The best spoken for first."""
    weighed = [(_sum(_WHICH, astuple(one.which)), one) for one in candidates]
    weighed.sort(key=lambda pair: (-pair[0], -pair[1].happening.place))
    best, sign = weighed[0]
    chance = CHANCE * math.log2(USUAL / max(FEWEST, among))
    level = NEVER + chance + _sum(_WHETHER, astuple(sign.whether(best)))
    for weight, one in weighed:
        if one.which.knew == sign.which.knew:  # what it knew and what it did not do not mix
            yield Scored(_score(level - FALL * (best - weight)), one)


def _sum(weights: tuple[float, ...], clues: tuple[float, ...]) -> float:
    return float(sum(map(mul, weights, clues)))


def _score(level: float) -> float:
    return 1 / (1 + math.exp(-level))
