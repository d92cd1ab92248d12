"""Calls of which one does for all who ask the very same: the first asks, and each has a record of its own
that names that call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from whoknew.agents.models.model import EMBED, LOOK
from whoknew.engine.exams.exam_log import ExamLog, key_of
from whoknew.engine.playing.ledger import answered_by
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called

PURPOSES = ("remember", LOOK, EMBED)
"""Those of requests that may be shared."""

CallKey = tuple[str, str]
"""A model, and the digest of a prompt."""


class SharedCalls:
    """Those of an exam that were answered, also in earlier sittings: looked up on its log when the first
    is asked for."""

    def __init__(self, log: ExamLog) -> None:
        self._log = log
        self._known: dict[CallKey, int] | None = None
        """Their seqs: what was answered stays on the log, for vectors are long."""
        self._read_upto = 0
        self._asking: dict[CallKey, asyncio.Event] = {}
        self._reading = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, model: str, digest: str) -> AsyncIterator[None]:
        """One at a time asks the same: who waited finds the answer, or asks in its turn."""
        key = (model, digest)
        while asking := self._asking.get(key):
            await asking.wait()
        self._asking[key] = asyncio.Event()
        try:
            yield
        finally:
            self._asking.pop(key).set()

    async def find(self, model: str, digest: str) -> Called | None:
        """The record of one more who asks this, where it was answered. What was answered to those who
        failed by it, in an earlier sitting, is asked anew."""
        async with self._reading:
            if self._known is None:
                self._known, self._read_upto = {}, 0
                await self._read()
            elif (model, digest) not in self._known and self._log.is_shared:
                await self._read()
        assert self._known is not None, "it was read"
        if (seq := self._known.get((model, digest))) is None:
            return None
        called = (await self._log.at(seq)).body
        assert isinstance(called, Called), "it was noted as one"
        return answered_by(called, seq)

    async def _read(self) -> None:
        """All that were answered since it was read last, also by other processes, beside those that are
        noted meanwhile. Half of a log is no table: where reading breaks off, who asks next begins anew."""
        try:
            async for event in self._log.read(self._read_upto):
                self._take(event)
                self._read_upto = event.seq
        except BaseException:
            self._known = None
            raise

    def _take(self, event: Event) -> None:
        if not isinstance(event.body, Called) or event.body.purpose not in PURPOSES:
            return
        if not self._log.failed(key_of(event)):
            self.note(event.body.model, event.body, event.seq)

    def note(self, model: str, called: Called, seq: int) -> None:
        """A call that is on the log, at a seq."""
        if self._known is None or called.reply is None or called.answered_by:
            return
        self._known.setdefault((model, called.digest), seq)
