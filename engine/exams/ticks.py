"""Where the axis of a chart is marked: at round values, evenly apart."""

from __future__ import annotations

from math import ceil, floor, log10

MOST = 6
"""So many marks at the most: more stand in one another's way."""


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
