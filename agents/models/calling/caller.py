"""The process that sends calls: it hands what it is given to servers, and what they answer back.

How prompts are made, what may be called and how often a call is made again is seen to by whoever started it,
who is at the other end of a socket. It ends when that one does.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import traceback
from contextlib import AsyncExitStack

from whoknew.agents.errors import ModelError
from whoknew.agents.models.calling.frames import (
    Dropping,
    Frames,
    NoAnswer,
    Opened,
    Opening,
    Posting,
    Ready,
    ServerAnswer,
    ToCaller,
)
from whoknew.agents.models.calling.sent import sent_entry
from whoknew.agents.models.chat import ChatModel

READ = ("Retry-After",)
"""The headers that are read of an answer."""


class Caller:
    def __init__(self, models: AsyncExitStack) -> None:
        self._open_models, self._models = models, dict[int, ChatModel]()
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()
        self._frames = Frames[ToCaller](ToCaller, self._heard, self._ended.set)

    async def work(self, connection: socket.socket) -> None:
        """Do what is asked, until nobody is there any more who could ask."""
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as self._group:
            await loop.create_connection(lambda: self._frames, sock=connection)
            self._frames.say(Ready())
            await self._ended.wait()
            for call in self._calls.values():
                call.cancel()

    def _heard(self, message: ToCaller) -> None:
        match message:
            case Posting():
                self._calls[message.call] = self._group.create_task(self._post(message))
            case Dropping():
                if call := self._calls.pop(message.call, None):
                    call.cancel()
            case Opening():
                self._group.create_task(self._open(message))

    async def _open(self, asked: Opening) -> None:
        why = ""
        try:
            opening = sent_entry(asked.address).open(asked.patience)
            model = await self._open_models.enter_async_context(opening)
            assert isinstance(model, ChatModel), "no other is sent"
            self._models[asked.model] = model
        except Exception as error:  # noqa: BLE001  (an SDK raises what it likes)
            why = _sayable(f"{type(error).__name__}: {error}")
        self._frames.say(Opened(asked.model, why))

    async def _post(self, asked: Posting) -> None:
        try:
            self._frames.say(await _answer(self._models[asked.model], asked))
        finally:
            self._calls.pop(asked.call, None)


async def _answer(model: ChatModel, asked: Posting) -> ServerAnswer | NoAnswer:
    try:
        status, headers, body = await model.post(asked.path, asked.data, largest=asked.largest)
    except ModelError as error:
        return NoAnswer(asked.call, type(error).__name__, _sayable(str(error)))
    except Exception as error:  # noqa: BLE001  (a fault of ours: that of one call alone)
        traceback.print_exc()
        return NoAnswer(asked.call, "", _sayable(f"{type(error).__name__}: {error}"))
    read = {name: _sayable(headers[name]) for name in READ if name in headers}
    return ServerAnswer(asked.call, status, read, body)


def _sayable(text: str) -> str:
    """What a server says may be no UTF-8: aiohttp gives that as halves of characters, which nobody can send."""
    return text.encode(errors="replace").decode()


def main(socket_number: int, threshold: int) -> None:
    """Garbage is collected as seldom as by whoever started it."""
    gc.set_threshold(threshold)
    asyncio.run(_work(socket.socket(fileno=socket_number)))


async def _work(connection: socket.socket) -> None:
    async with AsyncExitStack() as models:
        await Caller(models).work(connection)
