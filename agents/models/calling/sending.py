"""Calls that another process sends, for as long as there is one.

To send a prompt and to read an answer is a third of what the processor does for a cell of an exam, and needs
nothing of what is known here: another processor can do it meanwhile. What is asked, by whom, how often and
within which limits stays here. And no call depends on it: as long as there is no such process, because it
begins or has died or cannot be had, this one sends its calls itself.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from whoknew.agents.errors import NotCalled
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

AWAITED = 2.0
"""Seconds for which it is waited for until it can ask a model: with an SDK that takes one. Then calls are sent
without it."""

DEATHS = 5
"""So many that die one after another, without an answer, are the last."""

LATE = 10.0
"""Seconds beyond those that a server is given: by then that process has told that the server gave no answer, or
it hangs."""


class Sending:
    """Has a process at work that sends calls, as `async with`, from the first model on that is to be asked by
    it."""

    def __init__(self) -> None:
        self._caller: CallerProcess | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._models: dict[AskedModel, asyncio.Event] = {}
        """Set once it is known whether it can ask them."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if (keeping := self._keeping) is not None:
            keeping.cancel()
            await asyncio.wait([keeping])

    def caller(self, asked: AskedModel) -> CallerProcess | None:
        """The one that is at work, where it can ask a model."""
        caller = self._caller
        return caller if caller is not None and caller.can_ask(asked) else None

    async def model(self, model: ChatModel, entry: ModelEntry, patience: float) -> SentModel:
        """A model whose calls it sends."""
        asked = AskedModel(entry.address, patience)
        if (settled := self._models.get(asked)) is None:
            settled = self._models[asked] = asyncio.Event()
            if self._caller is not None:
                self._caller.open(asked)
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())
        if not self._keeping.done():
            with suppress(TimeoutError):
                async with asyncio.timeout(AWAITED):
                    await settled.wait()
        return SentModel(model, entry, asked, self)

    async def _keep(self) -> None:
        """Begin another when one has died."""
        deaths = 0
        try:
            while deaths < DEATHS:
                async with caller_process(self._settled) as caller:
                    self._caller = caller
                    for asked in self._models:
                        caller.open(asked)
                    await caller.over.wait()
                why = f"process {caller.pid}, which sends calls, died"
                logger().warning("caller.ended", why=why)
                deaths = 0 if caller.answers else deaths + 1
            logger().warning("caller.missing", why=f"{DEATHS} died, and none had answered")
        except Exception as error:  # noqa: BLE001  (no call depends on it)
            logger().warning("caller.missing", why=f"{type(error).__name__}: {error}")
        finally:
            self._caller = None
            for settled in self._models.values():
                settled.set()

    def _settled(self, asked: AskedModel, why: str) -> None:
        if why:
            logger().warning("caller.missing", model=asked.address, why=why)
        self._models[asked].set()


class SentModel(ChatModel):
    """A model whose prompts are made here, and sent by another process where that can be."""

    def __init__(
        self, model: ChatModel, entry: ModelEntry, asked: AskedModel, sending: Sending
    ) -> None:
        super().__init__(model.name, entry.name)
        self.most, self._here, self._asked, self._sending = model.most, model, asked, sending
        self._deadlines = Deadlines(asked.patience + LATE)

    async def post(self, path: str, data: bytes, *, largest: int = LARGEST) -> Answer:
        """NotCalled where that process has died or hangs: made again, it is a call more, by this one."""
        if caller := self._sending.caller(self._asked):
            try:
                with self._deadlines.kept():
                    return await caller.post(self._asked, path, data, largest)
            except TimeoutError:  # a server's is told by the process itself
                if (silent := caller.silent()) >= LATE:
                    caller.kill()
                    why = (
                        f"process {caller.pid}, which sends calls, said nothing for {silent:.0f} s"
                    )
                    raise NotCalled(why) from None
        return await self._here.post(path, data, largest=largest)


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
