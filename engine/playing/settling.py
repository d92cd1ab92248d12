"""Works that go on at once: each to its end, whatever comes of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from whoknew.engine.errors import concerns_all

T = TypeVar("T")


async def settle_all(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of them give. Where one fails the others are let finish, so that no answer that is
    under way is lost; then its error is raised: of several, one that concerns every chain. Cancelled,
    all are."""
    if len(works) < 2:
        return [await works[0]] if works else []
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_caught(work)) for work in works]
    found = [task.result() for task in tasks]
    if errors := [one for one in found if isinstance(one, Exception)]:
        raise next(filter(concerns_all, errors), errors[0])
    return [one for one in found if not isinstance(one, Exception)]


async def _caught(work: Coroutine[Any, Any, T]) -> T | Exception:
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
