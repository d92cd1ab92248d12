"""Numbers that JSON can hold: finite ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from whoknew.eventlog.errors import Refused


def leaves(value: object) -> Iterator[object]:
    """All that a JSON value holds in the end."""
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(inner, str) or not isinstance(inner, Iterable):
        yield value
        return
    for one in inner:
        yield from leaves(one)


def check_numbers(what: str, values: Iterable[object]) -> None:
    """Refuse numbers that JSON cannot hold."""
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            raise Refused(f"{what} holds {value}, which JSON has no number for: leave it out")
