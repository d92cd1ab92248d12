"""How long an answer is waited for, by one timer for all that wait equally long: a timer for each takes
a fiftieth of a turn, and next to none ever rings."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Deadlines:
    """So many `seconds` are waited in each block: `with deadlines.kept():`. What is not over by then
    is cancelled, and ends with a TimeoutError, as in `asyncio.timeout`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waiting: dict[Deadline, None] = {}
        """In the order in which they end, which is that in which they began."""
        self._is_set = False

    def kept(self) -> Deadline:
        return Deadline(self)

    def begin(self, one: Deadline, until: float) -> None:
        self._waiting[one] = None
        if not self._is_set:
            self._set(until)

    def end(self, one: Deadline) -> None:
        self._waiting.pop(one, None)

    def _set(self, at: float) -> None:
        self._is_set = True
        asyncio.get_running_loop().call_at(at, self._ring)

    def _ring(self) -> None:
        """End those whose time is over; the next is looked at when its own is."""
        self._is_set = False
        now = asyncio.get_running_loop().time()
        for one in list(self._waiting):
            if one.until > now:
                self._set(one.until)
                break
            self.end(one)
            one.expire()


class Deadline:
    """One block, in one task."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self._expired = False

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None, "only a task can be cancelled"
        self._task, self._before = task, task.cancelling()
        self.until = loop.time() + self._deadlines.seconds
        self._deadlines.begin(self, self.until)

    def expire(self) -> None:
        self._expired = True
        self._task.cancel()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._expired:
            self._deadlines.end(self)
        elif self._task.uncancel() <= self._before and kind is asyncio.CancelledError:
            raise TimeoutError from error
