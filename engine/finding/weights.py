"""How the clues are weighed, and how sure what comes of it is.

Fitted on 62 tellings that were read in four plays, and rounded: first which of its candidates a
speech tells of (a conditional logit over those speeches), then whether it tells of any (a logistic
regression over all speeches). Fitted on three of the plays, they find as many in the fourth as is
said in `tests/data/test_tellings.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from whoknew.engine.finding.candidates import Candidate

WHICH = {
    "shared": 0.12,
    "whole": 0.26,
    "rarest": 0.065,
    "concepts": 0.16,
    "run": 0.72,
    "by_named": 0.90,
    "unaware": 0.97,
    "addressed": 0.55,
    "since": -0.17,
    "knew": 0.82,
    "age": -0.11,
    "alone": -0.44,
    "deadly": 0.68,
    "words_knew": 0.27,
}
"""Which happening a speech tells of."""

WHETHER_HOW = {
    "past": 1.25,
    "second": -1.22,
    "third": 0.92,
    "asks": -0.89,
    "answers": 0.78,
    "news": 0.59,
}
WHETHER_WHICH = {
    "words": 0.16,
    "by_named": 1.07,
    "named": 0.88,
    "knew": 0.34,
    "scenes": -0.10,
    "words_past": 0.17,
    "words_knew": 0.13,
}
"""Whether it tells of any, by the clues of the one that is spoken for most."""

BEST = 0.64
"""And by how well that is spoken for."""

NEVER = -8.18
"""What all of that must outweigh."""

CHANCE, USUAL, FEWEST = 0.69, 1000, 400
"""Among twice as many happenings twice as many share some words by chance. The plays had so many."""

SCALE, SHIFT, FALL = 0.9, -0.1, 0.8
"""How the sum becomes a score: by what was right of the pairs that were read. What is spoken for less
than the best is that much less sure."""


class Scored(NamedTuple):
    score: float
    candidate: Candidate


def scored(candidates: Sequence[Candidate], among: int) -> list[Scored]:
    """Each happening once, by the sentence that speaks for it most: the best spoken for first."""
    weighed = [(_sum(WHICH, one.which), one) for one in candidates]
    weighed.sort(key=lambda pair: (-pair[0], -pair[1].one.place))
    best, sign = weighed[0]
    chance = math.log2(USUAL / max(FEWEST, among))
    level = (
        NEVER
        + CHANCE * chance
        + _sum(WHETHER_HOW, sign.how)
        + _sum(WHETHER_WHICH, sign.which)
        + BEST * best
    )
    first: dict[int, Scored] = {}
    for weight, one in weighed:
        alike = one.which.knew == sign.which.knew  # what it knew and what it did not do not mix
        if alike and one.one.place not in first:
            first[one.one.place] = Scored(_score(level - FALL * (best - weight)), one)
    return list(first.values())


def _sum(weights: Mapping[str, float], clues: NamedTuple) -> float:
    return sum(weight * float(getattr(clues, name)) for name, weight in weights.items())


def _score(level: float) -> float:
    return 1 / (1 + math.exp(-(SCALE * level + SHIFT)))
