"""The process beside the one that asks models: it sends what it is given, and hands back what servers answer.

    python -P -m whoknew.agents.models.calling.caller FD

How prompts are made, what may be called and how often a call is made again is seen to by whoever started it,
who is at the other end of the socket FD; it ends when that one does.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any

from whoknew.agents.errors import AgentError
from whoknew.agents.models.calling.frames import (
    Dropping,
    Frames,
    NoAnswer,
    Opened,
    Opening,
    Posting,
    ServerAnswer,
    ToCaller,
    Unopened,
)
from whoknew.agents.models.calling.sent import sent_entry
from whoknew.agents.models.chat import ChatModel

READ = ("Retry-After",)
"""The headers that tell something, of answers that refuse."""

YOUNG = 50_000
"""As `collect_seldom` of the command line has it, and why."""


class Caller:
    def __init__(self, models: AsyncExitStack) -> None:
        self._open_models, self._models = models, dict[int, ChatModel]()
        self._frames = Frames[ToCaller](ToCaller, self._heard, self._end)
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()

    async def work(self, connection: socket.socket) -> None:
        """Do what is asked, until nobody is there any more who could ask."""
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as self._group:
            await loop.create_connection(lambda: self._frames, sock=connection)
            await self._ended.wait()
            for call in self._calls.values():
                call.cancel()

    def _end(self) -> None:
        self._ended.set()

    def _heard(self, message: ToCaller) -> None:
        match message:
            case Posting():
                self._calls[message.call] = self._begin(self._post(message))
            case Dropping():
                if call := self._calls.pop(message.call, None):
                    call.cancel()
            case Opening():
                self._begin(self._open(message))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self._group.create_task(work)

    async def _open(self, asked: Opening) -> None:
        try:
            opening = sent_entry(asked.address).open(asked.patience)
            model = await self._open_models.enter_async_context(opening)
            assert isinstance(model, ChatModel), "only those are sent"
            self._models[asked.model] = model
            self._frames.say(Opened(asked.model, model.most))
        except Exception as error:  # noqa: BLE001  (an SDK raises what it likes)
            self._frames.say(Unopened(asked.model, *_told(error)))

    async def _post(self, asked: Posting) -> None:
        try:
            model = self._models[asked.model]
            status, headers, body = await model.post(asked.path, asked.data, largest=asked.largest)
            told = {name: headers[name] for name in READ if name in headers}
            self._frames.say(ServerAnswer(asked.call, status, told, body))
        except Exception as error:  # noqa: BLE001  (what it is decides who asked)
            self._frames.say(NoAnswer(asked.call, *_told(error)))
        finally:
            self._calls.pop(asked.call, None)


def _told(error: Exception) -> tuple[str, str]:
    """An error's kind, and what it says."""
    kind = type(error).__name__
    return kind, str(error) if isinstance(error, AgentError) else f"{kind}: {error}"


async def main(connection: socket.socket) -> None:
    async with AsyncExitStack() as models:
        await Caller(models).work(connection)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it stops in order
    gc.set_threshold(YOUNG)
    asyncio.run(main(socket.socket(fileno=int(sys.argv[1]))))
