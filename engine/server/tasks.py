"""Tasks that go on beside the requests, each with an owner that sees its end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from whoknew.eventlog.logger import logger


class Tasks:
    """What a part of the server has begun. A task that fails is written to the server's own log, and
    none goes on when its owner is closed."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger().error("task.failed", task=task.get_name(), exc_info=error)
