"""A thread of its own for work that blocks, one piece after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from whoknew.eventlog.errors import LogClosed

T = TypeVar("T")


class Thread:
    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, name)
        self._stopped = False

    async def do(self, work: Callable[[], T]) -> T:
        return await self._submit(work)

    async def do_at_once(self, work: Callable[[], T]) -> T:
        """The same, having seen the work begin.

        A thread that is woken while the loop is busy gets no turn until the loop is idle, or for
        5 ms. Waiting here for the moment that it takes to begin lets the two go on side by side:
        the disk on one core, the tasks on the other. Only for a thread that has nothing to do.
        """
        begun = Lock()
        begun.acquire()

        def begin() -> T:
            begun.release()
            return work()

        future = self._submit(begin)
        begun.acquire()
        return await future

    def stop(self) -> None:
        """Take nothing more."""
        self._stopped = True
        self._executor.shutdown(wait=False)

    def _submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        if self._stopped:
            raise LogClosed("the log is closed: open it again")
        return asyncio.get_running_loop().run_in_executor(self._executor, work)
