"""Works that go on at once: each to its end, whatever comes of the others."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from whoknew.agents.settling import settled
from whoknew.engine.errors import concerns_all

T = TypeVar("T")


async def settle_all(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of them give. Where one fails the others are let finish; then its error is raised: of
    several, one that concerns every chain."""
    if len(works) < 2:
        return [await works[0]] if works else []
    found = await settled(works)
    if errors := [one for one in found if isinstance(one, Exception)]:
        raise next(filter(concerns_all, errors), errors[0])
    return [one for one in found if not isinstance(one, Exception)]
