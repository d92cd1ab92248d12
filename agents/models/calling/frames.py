"""What this process and the one that sends its calls say to each other, over a pair of sockets: each frame is
its length, and a list of messages in MessagePack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from struct import Struct as Layout
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

MOST = 16
"""Messages in a frame, at most: who hears them begins before all of a turn of the loop is said. (In one frame
each, ten waves of 1,000 calls of 200 ms took 2.4 to 2.7 s, and take 2.3 to 2.4.)"""

FULL = 2**20
"""Bytes that wait to be written, from which on no more are handed over: of what waits there a copy is made with
each that comes."""

LENGTH = Layout(">I")


class Opening(Struct, frozen=True, gc=False, array_like=True, tag=0):
    """To the caller: a model by its address, which waits so many seconds for each answer. It goes by this
    number."""

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


class Ready(Struct, frozen=True, gc=False, array_like=True, tag=0):
    """From the caller: it listens."""


class Opened(Struct, frozen=True, gc=False, array_like=True, tag=1):
    """From the caller: it can ask a model; or why it cannot."""

    model: int
    why: str = ""


class ServerAnswer(Struct, frozen=True, gc=False, array_like=True, tag=2):
    """From the caller: what a server answered, with those of its headers that are read."""

    call: int
    status: int
    headers: dict[str, str]
    body: bytes


class NoAnswer(Struct, frozen=True, gc=False, array_like=True, tag=3):
    """From the caller: why there is no answer, and the name of that error."""

    call: int
    kind: str
    why: str


ToCaller = Opening | Posting | Dropping
FromCaller = Ready | Opened | ServerAnswer | NoAnswer

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
        self._transport: asyncio.Transport | None = None
        self._is_full = False

    def connection_made(self, transport: Any) -> None:
        self._transport, self._loop = transport, asyncio.get_running_loop()
        transport.set_write_buffer_limits(high=FULL)

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()

    def say(self, message: object) -> None:
        self._to_say.append(message)
        if len(self._to_say) >= MOST:
            self._flush()
        elif len(self._to_say) == 1:
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        if self._transport is not None:
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
        if self._transport is None:
            return
        said = self._to_say
        while said and not self._is_full:
            frame = encode(said[:MOST])
            del said[:MOST]
            self._transport.write(LENGTH.pack(len(frame)) + frame)
