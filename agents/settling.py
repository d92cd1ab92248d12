"""Works that go on at once: each to its end, whatever comes of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

Work = Coroutine[Any, Any, T]


async def settled(works: Sequence[Work[T]]) -> list[T | Exception]:
    """What each of them gives, or the error that it ends with, in their order. No answer that is under way
    is lost because another failed. Cancelled, all are."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_caught(work)) for work in works]
    return [task.result() for task in tasks]


async def side_by_side(works: Sequence[Callable[[], Work[T]]], most: int) -> list[T]:
    """What each of them gives, so many at a time at `most`. Where one fails those behind these are not
    begun, and its error is raised: of several, the first."""
    given: list[T] = []
    for first in range(0, len(works), most):
        for one in await settled([work() for work in works[first : first + most]]):
            if isinstance(one, Exception):
                raise one
            given.append(one)
    return given


async def _caught(work: Work[T]) -> T | Exception:
    try:
        return await work
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) and task.cancelling():
            raise
        return RuntimeError("it cancelled itself")
    except SystemExit:
        return RuntimeError("it asked the whole process to exit")
    except Exception as error:  # noqa: BLE001  (raised again by whoever waits for all)
        return error
