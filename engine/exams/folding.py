"""A fold of the log of an exam that is kept: what comes to be there later is folded into it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.started_calls import StartedCalls
from whoknew.eventlog import Event


class Folding:
    """A fold of the log of an exam, as far as it was read. Of one that was broken off nothing is
    certain: begin another."""

    def __init__(self) -> None:
        self._read, self._hash = 0, b""
        self.calls = StartedCalls()

    def take(self, event: Event) -> None:
        raise NotImplementedError

    async def go_on(self, log: ExamLog) -> None:
        """Read on, to the end; what is read is folded off the loop."""
        async for page in log.pages(self._read):
            await asyncio.to_thread(self._take_all, page)
            self._read = page[-1].seq
        self._hash = await log.hash(self._read)

    async def is_of(self, log: ExamLog) -> bool:
        """Whether a log begins with what was read: else it is another one under the same name."""
        return self._read == 0 or await log.hash(self._read) == self._hash

    def _take_all(self, events: Sequence[Event]) -> None:
        for event in events:
            self.calls.take(event)
            self.take(event)
