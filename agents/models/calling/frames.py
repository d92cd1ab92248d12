"""What this process and the one beside it say to each other, over a pair of sockets. What is said in one
turn of the loop goes together, in a few frames: a frame is its length, and a list in MessagePack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from struct import Struct as Layout
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

MOST = 16
"""So many are said in one frame at most: whoever hears them begins before the rest is said."""

LENGTH = Layout(">I")


class Opening(Struct, frozen=True, gc=False, array_like=True, tag=0):
    """To the caller: open the model at an address, and wait so many seconds for each of its answers. It goes
    by this number from now on."""

    model: int
    address: str
    patience: float


class Posting(Struct, frozen=True, gc=False, array_like=True, tag=1):
    """To the caller: send this to a path of the server of a model, and read so much of the answer."""

    call: int
    model: int
    path: str
    data: bytes
    largest: int


class Dropping(Struct, frozen=True, gc=False, array_like=True, tag=2):
    """To the caller: nobody waits for this call any more."""

    call: int


class Opened(Struct, frozen=True, gc=False, array_like=True, tag=0):
    """From the caller: a model is open, whose server calls its limit of tokens so."""

    model: int
    most: str


class Unopened(Struct, frozen=True, gc=False, array_like=True, tag=1):
    """From the caller: why a model could not be opened, and of what kind that error is."""

    model: int
    kind: str
    why: str


class ServerAnswer(Struct, frozen=True, gc=False, array_like=True, tag=2):
    """From the caller: what a server answered, with those of its headers that are read."""

    call: int
    status: int
    headers: dict[str, str]
    body: bytes


class NoAnswer(Struct, frozen=True, gc=False, array_like=True, tag=3):
    """From the caller: why there is no answer, and of what kind that error is."""

    call: int
    kind: str
    why: str


ToCaller = Opening | Posting | Dropping
FromCaller = Opened | Unopened | ServerAnswer | NoAnswer

Heard = TypeVar("Heard")

encode = msgspec.msgpack.Encoder().encode


class Frames(asyncio.Protocol, Generic[Heard]):
    """One end of the pair: `heard` is told of each message, and `ended` when the other end is gone."""

    def __init__(
        self, messages: Any, heard: Callable[[Heard], None], ended: Callable[[], None]
    ) -> None:
        """`messages` is the type of those that are heard."""
        self._decode = msgspec.msgpack.Decoder(list[messages]).decode
        self._heard, self._ended = heard, ended
        self._read, self._to_say = bytearray(), list[object]()

    def connection_made(self, transport: Any) -> None:
        self._transport, self._loop = transport, asyncio.get_running_loop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()

    def say(self, message: object) -> None:
        self._to_say.append(message)
        if len(self._to_say) == MOST:
            self._flush()
        elif len(self._to_say) == 1:
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._read += data
        at = 0
        while len(self._read) >= at + LENGTH.size:
            begins = at + LENGTH.size
            ends = begins + LENGTH.unpack_from(self._read, at)[0]
            if len(self._read) < ends:
                break
            for message in self._decode(self._read[begins:ends]):
                self._heard(message)
            at = ends
        del self._read[:at]

    def _flush(self) -> None:
        if said := self._to_say:
            self._to_say = []
            frame = encode(said)
            self._transport.write(LENGTH.pack(len(frame)) + frame)
