"""Calls that another process sends, for as long as there is one.

To send a prompt and to read an answer is a third of what the processor does for a cell of an exam, and needs
nothing of what is known here: another processor can do it meanwhile. What is asked, by whom, how often and
within which limits stays here. And no call depends on it: as long as there is no such process, because it
begins or has died or cannot be had, this one sends its calls itself.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Self

from whoknew.agents.errors import NotCalled, NothingSent
from whoknew.agents.models.calling.caller_process import (
    AskedModel,
    CallerProcess,
    caller_process,
)
from whoknew.agents.models.chat import ChatModel
from whoknew.agents.models.deadlines import Deadlines
from whoknew.agents.models.model import ModelEntry
from whoknew.agents.models.refusals import LARGEST
from whoknew.eventlog.logger import logger

if TYPE_CHECKING:  # it brings aiohttp along
    from whoknew.agents.models.endpoint import Answer

AT_ONCE, CALLS = 32, 1000
"""With fewer, what it saves is less than the third of a second that it takes to begin."""

DEATHS = 5
"""So many that die one after another, without an answer, are the last."""

LATE = 10.0
"""Seconds that an answer may be late: its own time runs there, and is told here."""


class Sending:
    """Has a process at work that sends calls, as `async with`, from the first model on that is to be asked by
    it."""

    def __init__(self) -> None:
        self._caller: CallerProcess | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if (keeping := self._keeping) is not None:
            keeping.cancel()
            await asyncio.wait([keeping])

    @property
    def caller(self) -> CallerProcess | None:
        """The one that is at work."""
        caller = self._caller
        return None if caller is None or caller.over.is_set() else caller

    def model(self, model: ChatModel, entry: ModelEntry, patience: float) -> SentModel:
        """A model whose calls it sends."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())
        return SentModel(model, entry, patience, self)

    async def _keep(self) -> None:
        """Begin another when one has died."""
        deaths = 0
        while deaths < DEATHS:
            try:
                async with caller_process() as caller:
                    self._caller = caller
                    await caller.over.wait()
            except Exception as error:  # noqa: BLE001  (no call depends on it)
                logger().warning("caller.missing", why=f"{type(error).__name__}: {error}")
                return
            logger().warning("caller.ended", why=f"process {caller.pid}, which sends calls, died")
            deaths = 0 if caller.answers else deaths + 1
        logger().warning("caller.missing", why=f"{DEATHS} died, and none had answered")


class SentModel(ChatModel):
    """A model whose prompts are made here, and sent by another process where there is one."""

    def __init__(
        self, model: ChatModel, entry: ModelEntry, patience: float, sending: Sending
    ) -> None:
        super().__init__(model.name, entry.name)
        self.most, self._here, self._sending = model.most, model, sending
        self._asked = AskedModel(entry.address, patience)
        self._deadlines = Deadlines(patience + LATE)
        self._refusing: CallerProcess | None = None
        """The one that cannot ask this model."""

    async def post(self, path: str, data: bytes, *, largest: int = LARGEST) -> Answer:
        caller = self._sending.caller
        if caller is not None and caller is not self._refusing:
            try:
                return await self._sent(caller, path, data, largest)
            except NothingSent as error:
                if caller is not self._refusing:  # many may hear of it at once
                    logger().warning("caller.missing", model=self.name, why=str(error))
                self._refusing = caller
            except NotCalled:
                pass  # it has died, or hangs
        return await self._here.post(path, data, largest=largest)

    async def _sent(self, caller: CallerProcess, path: str, data: bytes, largest: int) -> Answer:
        try:
            with self._deadlines.kept():
                return await caller.post(self._asked, path, data, largest)
        except TimeoutError:  # a server's is told by the process itself
            if caller.silent() >= LATE:
                caller.kill()
            raise NotCalled from None


def is_worthwhile(at_once: int, calls: int) -> bool:
    """Whether so many calls, so many at a time, are made sooner where a second process sends them: with
    two processors."""
    return at_once >= AT_ONCE and calls >= CALLS and os.name == "posix" and _processors() > 1


def _processors() -> int:
    """Those that this process may use; where a system does not tell, those that there are."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
