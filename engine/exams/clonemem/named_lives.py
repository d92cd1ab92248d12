"""Lives as they are named: LENGTH:SEED, or LENGTH:FIRST-LAST."""

from __future__ import annotations

import re
from collections.abc import Collection

from whoknew.engine.errors import WrongPlan
from whoknew.eventlog.nearest import nearest

MOST = 100
"""So many lives are made at once at most."""


def named_lives(source: str, lengths: Collection[str]) -> tuple[str, range]:
    """The length of lives, one of these, and their seeds: "short:7", "long:1-3"."""
    found = re.fullmatch(r"([a-z]+):(\d{1,9})(?:-(\d{1,9}))?", source)
    if found is None:
        raise WrongPlan(f"{source}: name lives as LENGTH:SEED or LENGTH:FIRST-LAST: short:1-3")
    if found[1] not in lengths:
        raise WrongPlan(f"{source}: no life is {found[1]!r}: {nearest(found[1], lengths)}")
    first = int(found[2])
    seeds = range(first, int(found[3] or first) + 1)
    if not 0 < len(seeds) <= MOST:
        raise WrongPlan(f"{source}: names {len(seeds)} lives: take 1 to {MOST}")
    return found[1], seeds
