"""Group commit: one commit in flight, and whatever is queued meanwhile goes into the next.

A lone append is committed after one turn of the loop, and many tasks that each await an append share
one sync of the disk. There is no timer but in a store with a `pace`, where a commit is not begun so
soon after the last: what is handed in meanwhile goes in with it. When they are very many they are taken in two halves, so that
while one is written those of the other, just woken, hand in their next. The queue holds at most one
entry for each task that awaits one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import compress
from math import inf
from time import monotonic

from msgspec import Struct

from whoknew.eventlog.errors import LogClosed, LogError
from whoknew.eventlog.event import Event
from whoknew.eventlog.stores.store import Batch, Store


class Outcome(asyncio.Future[bool]):
    """Whether a batch went in, which is decided whether or not anybody waits for it: who is cancelled
    while waiting hears of that when it is decided."""

    def cancel(self, msg: object = None) -> bool:
        return False


class Submission(Struct, gc=False):
    """A batch on its way to the store, with the events that its records hold, where they are at hand.
    `outcome` is what is waited for, of one that was not `written` here and now."""

    batch: Batch
    events: Sequence[Event] = ()
    outcome: Outcome | None = None
    written: bool = False

    @property
    def went_in(self) -> bool:
        """Whether it is on the log: also where whoever waited for it is cancelled."""
        outcome = self.outcome
        if outcome is None:
            return self.written
        return outcome.done() and outcome.exception() is None and outcome.result()

    async def settled(self) -> bool:
        """Whether it went in, when that is decided."""
        return self.written if self.outcome is None else await self.outcome


UNDIVIDED = 64
"""So many go into one group, however many there are: below, the sync is dearer than the wait."""


ENOUGH = 32
"""So many are not kept waiting for more: a half of a group, so that others are at work meanwhile."""


HEAVIEST = 128 * 2**20
"""Bytes after which nothing more goes into a group: PostgreSQL takes 1 GB a statement."""


class Grouping:
    """Before those who await a batch, these hear of it: `committed` of those that went in, `lost`
    of the world of each that did not, `failed` when the store could not write a group."""

    def __init__(
        self,
        store: Store,
        committed: Callable[[list[Submission]], None],
        lost: Callable[[str], None],
        failed: Callable[[], None],
    ) -> None:
        self._store = store
        self._committed, self._lost, self._failed = committed, lost, failed
        self._queue: list[Submission] = []
        self._group: list[Submission] = []
        """What is being committed."""
        self._begun = -inf
        """When the last commit began."""
        self._wake, self._enough = asyncio.Event(), asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._drain(), name="whoknew-group-commit")

    def put(self, batch: Batch, events: Sequence[Event] = ()) -> Submission:
        """Queue a batch. Its outcome tells whether it went in; it raises what the store raised.

        Nothing takes the batch back: once queued it is written. Where the store keeps nobody waiting
        it is written here and now.
        """
        if self._closing:
            raise LogClosed("the log is closed: open it again to append")
        if self._store.commit_now is not None:
            submission = Submission(batch, events, written=self._store.commit_now(batch))
            self._tell([submission], [submission.written])
        else:
            submission = Submission(batch, events, Outcome())
            self._queue.append(submission)
            self._wake.set()
            if len(self._queue) >= ENOUGH:
                self._enough.set()
        return submission

    async def decided(self, world: str) -> None:
        """Wait until it is decided what becomes of the batches of a world that are on their way."""
        waiting = (one.outcome for one in (*self._group, *self._queue) if one.batch.world == world)
        if outcomes := [one for one in waiting if one is not None]:
            await asyncio.wait(outcomes)

    async def close(self) -> None:
        """Write what is queued, then stop. Whoever is cancelled while closing hears of that afterwards: what
        is on its way to the store is written all the same."""
        self._closing = True
        self._wake.set()
        cancelled = None
        while not self._task.done():
            try:
                await asyncio.wait([self._task])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled:
            raise cancelled
        self._task.result()

    async def _drain(self) -> None:
        try:
            while self._queue or not self._closing:
                await self._wake.wait()
                self._wake.clear()
                woken = 0
                while self._queue:
                    await self._gather()
                    woken = await self._commit_some(woken)
        finally:
            self._closing = True
            self._refuse(self._queue, _closed())

    async def _gather(self) -> None:
        """Let those go first who are about to hand in theirs, for as long as each turn of the loop brings
        some: to write a group takes fifteen times what each batch in it does, a turn next to nothing."""
        early = self._begun + self._store.pace - monotonic()
        if early > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(early):
                    await self._enough.wait()
        before = 0
        while before < len(self._queue) < ENOUGH:
            before = len(self._queue)
            await asyncio.sleep(0)

    async def _commit_some(self, woken: int) -> int:
        """Commit half of those about: queued, or just woken by the last commit. How many it was."""
        size = max(UNDIVIDED, (len(self._queue) + woken + 1) // 2)
        size = _fitting(self._queue[:size])
        group, self._queue = self._queue[:size], self._queue[size:]
        if len(self._queue) < ENOUGH:
            self._enough.clear()
        self._group, self._begun = group, monotonic()
        try:
            outcomes = await self._store.commit([one.batch for one in group])
        except BaseException as error:
            # What was queued meanwhile stands on top of what has just failed.
            standing, self._queue = self._queue, []
            self._failed()
            self._refuse(group + standing, error if isinstance(error, Exception) else _closed())
            if not isinstance(error, LogError):
                raise
            return 0
        finally:
            self._group = []
        self._tell(group, outcomes)
        return len(group)

    def _tell(self, group: list[Submission], outcomes: list[bool]) -> None:
        try:
            self._committed(list(compress(group, outcomes)))
            for one, went_in in zip(group, outcomes, strict=True):
                if not went_in:
                    self._lost(one.batch.world)
        finally:  # what is on the log is there, whatever came of hearing of it
            for one, went_in in zip(group, outcomes, strict=True):
                if one.outcome is not None and not one.outcome.done():
                    one.outcome.set_result(went_in)

    @staticmethod
    def _refuse(submissions: list[Submission], error: Exception) -> None:
        for one in submissions:
            if one.outcome is not None and not one.outcome.done():
                one.outcome.set_exception(error)


def _fitting(queue: list[Submission]) -> int:
    """How many from the front go in together by their weight: one at least."""
    if len(queue) < 2:
        return len(queue)
    weight = 0
    for number, one in enumerate(queue, 1):
        weight += sum([len(record.body) for record in one.batch.records])
        if weight >= HEAVIEST:
            return number
    return len(queue)


def _closed() -> LogClosed:
    return LogClosed("the log was closed before this was written: open it, then do the same again")
