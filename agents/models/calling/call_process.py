"""A process beside this one that sends the calls of models.

To send a prompt and to read an answer is a third of what the processor does for a cell of an exam, and needs
nothing of what is known here: another processor can do it meanwhile. What is asked, by whom, how often and
within which limits stays here.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from whoknew.agents.errors import (
    AgentError,
    BadModel,
    BadReply,
    ModelError,
    NoKey,
    Rejected,
    ServerUnavailable,
)
from whoknew.agents.models.calling.frames import (
    Dropping,
    Frames,
    FromCaller,
    NoAnswer,
    Opened,
    Opening,
    Posting,
    ServerAnswer,
    Unopened,
)
from whoknew.agents.models.chat import ChatModel
from whoknew.agents.models.deadlines import Deadlines
from whoknew.agents.models.model import ModelEntry
from whoknew.agents.models.refusals import LARGEST, too_slow
from whoknew.eventlog.logger import logger

if TYPE_CHECKING:  # it brings aiohttp along, which is for who sends
    from whoknew.agents.models.endpoint import Answer

MODULE = "whoknew.agents.models.calling.caller"

AT_ONCE, CALLS = 32, 1000
"""With fewer, what it saves is less than the third of a second that it takes to begin."""

LATE = 10.0
"""So many seconds longer than it waits for a server it is waited for: then it hangs."""

ENDING = 5.0
"""Seconds that it is given to end by itself."""

KINDS: dict[str, type[AgentError]] = {
    kind.__name__: kind for kind in (BadModel, NoKey, ServerUnavailable, BadReply, Rejected)
}
"""What can go wrong there, and is said by whoever opens or calls a model."""


class CallProcess:
    """Use it as `async with`. When it dies, the calls under way fail as those of a server that broke off,
    and the next one begins another."""

    def __init__(self) -> None:
        self._models: list[tuple[str, float]] = []
        """Their addresses, and how long they wait. Each goes by its place."""
        self._running: RunningCaller | None = None
        self._beginning = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._running:
            await self._running.end()

    @property
    def pid(self) -> int | None:
        """Of the process, where it runs."""
        return self._running.pid if self._running else None

    async def open(self, entry: ModelEntry, patience: float) -> SentModel:
        """A model that is called by it. ServerUnavailable where no such process can be had here."""
        running, number = await self._at_work(), len(self._models)
        most = await running.open(number, entry.address, patience)
        self._models.append((entry.address, patience))
        return SentModel(entry, number, most, patience, self)

    async def post(self, model: int, path: str, data: bytes, largest: int) -> Answer:
        running = self._running
        if running is None or running.is_over:
            running = await self._at_work()
        return await running.post(model, path, data, largest)

    async def _at_work(self) -> RunningCaller:
        """The one that runs: where there is none, it is begun."""
        async with self._beginning:
            if self._running is None or self._running.is_over:
                if (before := self._running) is not None:
                    logger().warning("caller.replaced", why=f"{before.pid} has ended")
                    await before.end()
                self._running = await self._begun()
            return self._running

    async def _begun(self) -> RunningCaller:
        """Another, in which all models are open."""
        running = await begun()
        try:
            for number, (address, patience) in enumerate(self._models):
                await running.open(number, address, patience)
        except BaseException:
            running.frames.close()  # then it ends by itself
            raise
        return running


class SentModel(ChatModel):
    """A model whose prompts are made here, and sent by another process, where it goes by its number."""

    def __init__(
        self, entry: ModelEntry, number: int, most: str, patience: float, process: CallProcess
    ) -> None:
        super().__init__(entry.address, entry.name)
        self.most, self._number, self._process = most, number, process
        self._deadlines = Deadlines(patience + LATE)

    async def post(self, path: str, data: bytes, *, largest: int = LARGEST) -> Answer:
        try:
            with self._deadlines.kept():
                return await self._process.post(self._number, path, data, largest)
        except TimeoutError:
            raise too_slow(self.name, self._deadlines.seconds) from None


class RunningCaller:
    """One such process, for as long as it lives."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.frames = Frames[FromCaller](FromCaller, self._heard, self._lost)
        self.is_over = False
        self._calls = 0
        self._opening: dict[int, asyncio.Future[str]] = {}
        self._waiting: dict[int, asyncio.Future[Answer]] = {}

    @property
    def pid(self) -> int:
        return self._process.pid

    async def open(self, model: int, address: str, patience: float) -> str:
        """What the model that goes by this number calls its limit of tokens."""
        self._check()
        opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._opening[model] = opened
        self.frames.say(Opening(model, address, patience))
        return await opened

    async def post(self, model: int, path: str, data: bytes, largest: int) -> Answer:
        self._check()
        self._calls = call = self._calls + 1
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[call] = answer
        self.frames.say(Posting(call, model, path, data, largest))
        try:
            return await answer
        finally:
            if self._waiting.pop(call, None) and not self.is_over:  # whoever waited is stopped
                self.frames.say(Dropping(call))

    async def end(self) -> None:
        self.frames.close()
        try:
            async with asyncio.timeout(ENDING):
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def _check(self) -> None:
        """Nobody would answer where it is over."""
        if self.is_over:
            raise self._over()

    def _over(self) -> ServerUnavailable:
        return ServerUnavailable(f"process {self.pid}, which sends calls, ended before it answered")

    def _lost(self) -> None:
        self.is_over = True
        waiting: list[asyncio.Future[Any]] = [*self._opening.values(), *self._waiting.values()]
        self._opening.clear()
        self._waiting.clear()
        for one in waiting:
            if not one.done():
                one.set_exception(self._over())

    def _heard(self, message: FromCaller) -> None:
        match message:
            case ServerAnswer():
                if answer := self._waiting.pop(message.call, None):
                    answer.set_result((message.status, message.headers, message.body))
            case NoAnswer():
                if answer := self._waiting.pop(message.call, None):
                    answer.set_exception(_error(message.kind, message.why))
            case Opened():
                if not (opened := self._opening.pop(message.model)).done():
                    opened.set_result(message.most)
            case Unopened():
                if not (opened := self._opening.pop(message.model)).done():
                    opened.set_exception(_error(message.kind, message.why))


async def begun() -> RunningCaller:
    """Such a process, which can import all that this one can, and ends with it."""
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                MODULE,
                str(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,
            )
    except OSError as error:
        ours.close()
        raise ServerUnavailable(f"no process to send calls can be started: {error}") from error
    running = RunningCaller(process)
    await asyncio.get_running_loop().create_connection(lambda: running.frames, sock=ours)
    return running


def _error(kind: str, why: str) -> AgentError:
    return KINDS.get(kind, ModelError)(why)


def is_worthwhile(at_once: int, calls: int) -> bool:
    """Whether so many calls, so many at a time, are made sooner with such a process: where a processor is
    there for it."""
    return at_once >= AT_ONCE and calls >= CALLS and os.name == "posix" and _processors() > 1


def _processors() -> int:
    """Those that this process may use, where the system tells."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
