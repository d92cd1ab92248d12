"""From where to where the axis of a chart goes, and where it is marked: at round values, evenly apart."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, floor, log10

MOST = 6
"""So many marks at the most: more stand in one another's way."""


def reach(
    values: Collection[float], scale: tuple[float, float] | None = None
) -> tuple[float, float]:
    """From the least value to the most, with some room; where all are the same, the whole `scale` on
    which they lie, if that is known."""
    least, most = min(values, default=0.0), max(values, default=1.0)
    if least == most and scale is not None:
        least, most = scale
    room = (most - least) * 0.05 or 0.5
    return least - room, most + room


def ticks(least: float, most: float, *, whole: bool = False) -> list[float]:
    """Round values from one to the other; of what is counted `whole` ones. Both ends, where there is
    no round value between them."""
    step = 10.0 ** floor(log10((most - least) / MOST)) if most > least else 1.0
    steps = (step * factor for factor in (1, 2, 5, 10) if not whole or step * factor >= 1)
    for each in steps:
        first, last = ceil(least / each - 1e-9), floor(most / each + 1e-9)
        if 1 < last - first + 1 <= MOST:
            return [round(number * each, 12) for number in range(first, last + 1)]
    return [least, most] if most > least else [least]
