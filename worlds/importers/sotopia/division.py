"""What a scenario of Sotopia's gives to divide, and what it is worth to whom, where its text says so.

Only what is said exactly counts. The scenario has to say how many there are of each thing, and each
goal what one of each is worth to its owner; where anything is left open, nothing is taken. "The
ball is worth 2 points" says what one is worth only where there is one ball.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

_COUNT = re.compile(r"(?<![\d.,$])(\d{1,9}) ([a-z]+)\b")
_HINTS = ("strategy_hint", "clarification_hint")
_POINTS = re.compile(r"(?<!\d)\d++\s+points?\b", re.IGNORECASE)
_WORTH = re.compile(
    r"\b(?:(?P<one>each|an?|1) |the )?(?P<thing>[a-z]+)"
    r"(?: (?:is|are|(?:is |are )?worth|gives? you|at|as|equals?|=) | \()"
    r"(?P<points>\d{1,9}) points?(?: to you)?(?P<each> each)?\b"
    r"(?! (?:each )?(?:more|less|if|when|unless|only)\b)",
    re.IGNORECASE,
)


class Division(Struct, frozen=True):
    """How many there are of each thing, and what one of each is worth to each side."""

    pool: dict[str, int] = {}
    worth: tuple[dict[str, int], ...] = ()


NOTHING = Division()


def division(scenario: str, goals: Sequence[str]) -> Division:
    """What there is to divide by these texts; nothing where they do not say it exactly."""
    found = _COUNT.findall(scenario)
    pool = {thing: int(count) for count, thing in found}
    if len(pool) < len(re.findall(r"\d+", scenario)) or 0 in pool.values():
        return NOTHING
    worth = [_worth(_unhinted(goal), pool) for goal in goals]
    if not pool or any(each.keys() != pool.keys() for each in worth):
        return NOTHING
    return Division(pool, tuple(worth))


def _unhinted(goal: str) -> str:
    """Without its hints. Where none ends any more, none is looked for."""
    for hint in _HINTS:
        text, end, rest = goal.rpartition(f"</{hint}>")
        goal = re.sub(f"<{hint}>.*?</{hint}>", "", text + end, flags=re.DOTALL) + rest
    return goal


def _worth(goal: str, pool: Mapping[str, int]) -> dict[str, int]:
    """What one of each thing is worth, in the order of the pool; nothing where a number of points
    stands there that is no thing's, or that may be meant for all of a kind."""
    found: dict[str, int] = {}
    matches = list(_WORTH.finditer(goal))
    for match in matches:
        thing = _in(pool, match["thing"].lower())
        one = match["one"] or match["each"] or pool.get(thing or "") == 1
        if thing is None or thing in found or not one:
            return {}
        found[thing] = int(match["points"])
    if len(matches) != len(_POINTS.findall(goal)):
        return {}
    return {thing: found[thing] for thing in pool if thing in found}


def _in(pool: Mapping[str, int], word: str) -> str | None:
    """The thing that a word means: itself, or one of several."""
    return next((thing for thing in pool if word in (thing, thing.removesuffix("s"))), None)
