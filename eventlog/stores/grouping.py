"""Group commit: one commit in flight, and whatever is queued meanwhile goes into the next.

No timer: a lone append is committed at once, and 256 tasks that each await an append share one
sync of the disk. The queue holds at most one entry for each task that awaits one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct
from whoknew.eventlog.errors import LogClosed, LogError
from whoknew.eventlog.event import Event
from whoknew.eventlog.stores.store import Batch, Store


class Submission(Struct, gc=False):
    """A batch on its way to the store, with the events that its records hold."""

    batch: Batch
    events: list[Event]
    outcome: asyncio.Future[bool]


class Grouping:
    """`committed` hears of each group that went in, before those who await it; `failed` of each
    that the store could not write."""

    def __init__(
        self,
        store: Store,
        committed: Callable[[list[Submission]], None],
        failed: Callable[[], None],
    ) -> None:
        self._store, self._committed, self._failed = store, committed, failed
        self._queue: list[Submission] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._drain(), name="whoknew-group-commit")

    def put(self, batch: Batch, events: list[Event]) -> asyncio.Future[bool]:
        """Queue a batch. The future tells whether it went in; it raises what the store raised.

        Cancelling the future does not take the batch back: once queued it is written.
        """
        if self._closing:
            raise LogClosed("the log is closed: open it again to append")
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append(Submission(batch, events, outcome))
        self._wake.set()
        return outcome

    async def close(self) -> None:
        """Write what is queued, then stop."""
        self._closing = True
        self._wake.set()
        await self._task

    async def _drain(self) -> None:
        try:
            while self._queue or not self._closing:
                await self._wake.wait()
                self._wake.clear()
                while self._queue:
                    await self._commit_queued()
                    # Those just woken take a turn before the next commit, so that it is full.
                    await asyncio.sleep(0)
        finally:
            self._closing = True
            self._refuse(self._queue, LogClosed("the log was closed before this was written"))

    async def _commit_queued(self) -> None:
        group, self._queue = self._queue, []
        try:
            outcomes = await self._store.commit([one.batch for one in group])
        except LogError as error:
            # What was queued meanwhile stands on top of what has just failed.
            standing, self._queue = self._queue, []
            self._failed()
            self._refuse(group + standing, error)
            return
        self._committed([one for one, went_in in zip(group, outcomes, strict=True) if went_in])
        for one, went_in in zip(group, outcomes, strict=True):
            if not one.outcome.done():
                one.outcome.set_result(went_in)

    @staticmethod
    def _refuse(submissions: list[Submission], error: LogError) -> None:
        for one in submissions:
            if not one.outcome.done():
                one.outcome.set_exception(error)
