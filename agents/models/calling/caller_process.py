"""One process that sends calls, as it is seen from here: from its start to its end."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from whoknew.agents.errors import (
    BadReply,
    ModelError,
    NotCalled,
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
    Ready,
    ServerAnswer,
)

if TYPE_CHECKING:  # it brings aiohttp along
    from whoknew.agents.models.endpoint import Answer

PROGRAM = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "from whoknew.agents.models.calling.caller import main; main(*map(int, sys.argv[1:3]))"
)
"""It imports from where this process does, and nothing earlier than that."""

BEGINNING = 30.0
"""Seconds in which it is there: it takes a third of one."""

ENDING = 5.0
"""Seconds that it is given to end by itself."""

ERRORS: dict[str, type[ModelError]] = {
    error.__name__: error for error in (ServerUnavailable, BadReply, Rejected)
}
"""What a client of a server raises where it has no answer."""


class AskedModel(NamedTuple):
    """A model that another process can ask."""

    address: str
    patience: float


Settled = Callable[[AskedModel, str], None]
"""Is told of a model that it can be asked there; or why it cannot."""


class CallerProcess:
    def __init__(self, process: asyncio.subprocess.Process, settled: Settled) -> None:
        self._process, self._settled = process, settled
        self.frames = Frames[FromCaller](FromCaller, self._heard, self._lost)
        self.ready, self.over = asyncio.Event(), asyncio.Event()
        self.answers, self._heard_at = 0, monotonic()
        """How many it has given, also where there was none to give, and when it was heard of last."""
        self._told, self._open = list[AskedModel](), dict[AskedModel, int]()
        self._calls = 0
        self._waiting: dict[int, asyncio.Future[Answer]] = {}

    @property
    def pid(self) -> int:
        return self._process.pid

    def open(self, asked: AskedModel) -> None:
        """Have it open a model."""
        self.frames.say(Opening(len(self._told), *asked))
        self._told.append(asked)

    def can_ask(self, asked: AskedModel) -> bool:
        return asked in self._open and not self.over.is_set()

    async def post(self, asked: AskedModel, path: str, data: bytes, largest: int) -> Answer:
        model = self._open[asked]
        self._calls = call = self._calls + 1
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[call] = answer
        self.frames.say(Posting(call, model, path, data, largest))
        try:
            return await answer
        finally:
            if self._waiting.pop(call, None) and not self.over.is_set():  # it was not waited for
                self.frames.say(Dropping(call))

    def silent(self) -> float:
        """For how many seconds nothing was heard of it."""
        return monotonic() - self._heard_at

    def kill(self) -> None:
        self._lost()  # from now on, not only once it is gone
        self.frames.close()
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Let it end by itself, or else kill it."""
        if self.ready.is_set():
            self.frames.close()
        else:
            self.kill()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(ENDING):
                    await self._process.wait()
        finally:  # also where whoever waits is stopped
            if self._process.returncode is None:
                self.kill()
                await self._process.wait()

    def _lost(self) -> None:
        self.ready.set()
        self.over.set()
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(NotCalled(f"process {self.pid}, which sends calls, ended"))

    def _heard(self, message: FromCaller) -> None:
        self._heard_at = monotonic()
        match message:
            case ServerAnswer():
                self.answers += 1
                if answer := self._awaited(message.call):
                    answer.set_result((message.status, message.headers, message.body))
            case NoAnswer():
                self.answers += 1
                if answer := self._awaited(message.call):
                    answer.set_exception(ERRORS.get(message.kind, ModelError)(message.why))
            case Opened():
                asked = self._told[message.model]
                if not message.why:
                    self._open[asked] = message.model
                self._settled(asked, message.why)
            case Ready():
                self.ready.set()

    def _awaited(self, call: int) -> asyncio.Future[Answer] | None:
        """Who waits for an answer: nobody, where that was stopped, maybe in this very turn of the loop."""
        answer = self._waiting.pop(call, None)
        return None if answer is None or answer.done() else answer


@asynccontextmanager
async def caller_process(settled: Settled) -> AsyncIterator[CallerProcess]:
    """Such a process, once it is ready: OSError where there can be none, or it is not there in time. It can
    import all that this one can, and ends with it."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            caller = CallerProcess(await _started(theirs), settled)
        try:
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: caller.frames, sock=ours)
            try:
                async with asyncio.timeout(BEGINNING):
                    await caller.ready.wait()
            except TimeoutError:
                late = f"process {caller.pid} was not ready within {BEGINNING:g} seconds"
                raise TimeoutError(late) from None
            if caller.over.is_set():
                raise ChildProcessError(f"process {caller.pid} ended at once")
            yield caller
        finally:
            await caller.end()


async def _started(theirs: socket.socket) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-c",
        PROGRAM,
        str(theirs.fileno()),
        str(gc.get_threshold()[0]),
        *filter(None, sys.path),
        pass_fds=[theirs.fileno()],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for this process, which stops in order
    )
