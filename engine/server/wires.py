"""What carries messages to a viewer: a WebSocket, or server-sent events.

A message is encoded once for all who look through the same eyes, and written to each as it is: by hand,
because aiohttp makes the frame anew for each, and so the same CPU delivers three times as much.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec
from aiohttp import web
from msgspec import Struct

HEARTBEAT = 20.0
"""Seconds after which it is looked whether somebody is still there, and whatever lies between is kept
from closing what nothing goes through."""

LOOKS = 0.5
"""Seconds after which it is noticed that a reader of server-sent events has gone."""

_encode = msgspec.json.encode


class Wire(Protocol):
    @property
    def framed(self) -> Callable[[Struct], bytes]:
        """What makes of a message that which goes over all wires of this kind."""
        ...

    @property
    def closed(self) -> bool: ...

    async def say(self, message: Struct) -> None:
        """Send a message, waiting until there is room for it."""
        ...

    async def close(self, code: int = 1000, why: bytes = b"") -> None: ...


class SocketWire:
    """A WebSocket: its viewer can say something, too."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket

    @property
    def framed(self) -> Callable[[Struct], bytes]:
        return socket_frame

    @property
    def closed(self) -> bool:
        return self.socket.closed

    async def say(self, message: Struct) -> None:
        await self.socket.send_str(_encode(message).decode())

    async def close(self, code: int = 1000, why: bytes = b"") -> None:
        await self.socket.close(code=code, message=why)


class EventWire:
    """Server-sent events, as browsers (`EventSource`) and `curl -N` read them."""

    def __init__(self, response: web.StreamResponse, transport: asyncio.Transport) -> None:
        self._response, self._transport, self._over = response, transport, False

    @property
    def framed(self) -> Callable[[Struct], bytes]:
        return event_chunk

    @property
    def closed(self) -> bool:
        return self._over or self._transport.is_closing()

    async def say(self, message: Struct) -> None:
        await self._response.write(event_text(message))

    async def close(self, code: int = 1000, why: bytes = b"") -> None:
        if not self.closed:
            self._over = True
            await self._response.write_eof()

    async def until_gone(self) -> None:
        """Until its reader has gone."""
        looks = 0
        while not self.closed:
            await asyncio.sleep(LOOKS)
            looks += 1
            if looks * LOOKS % HEARTBEAT == 0 and not self.closed:
                await self._response.write(b": still here\n\n")


def socket_frame(message: Struct) -> bytes:
    """As one text frame of the protocol (RFC 6455). What a server sends is not masked, and nothing here is
    split or compressed: so there are these three lengths and no more to it."""
    body = _encode(message)
    size = len(body)
    if size < 126:
        return b"\x81%c%b" % (size, body)
    if size < 65536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), body)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), body)


def event_text(message: Struct) -> bytes:
    """As a server-sent event. Its id is where to go on after a break: a browser does so by itself."""
    upto = getattr(message, "upto", None)
    place = b"" if upto is None else b"id: %d\n" % upto
    return b"%bdata: %b\n\n" % (place, _encode(message))


def event_chunk(message: Struct) -> bytes:
    """The same as a chunk of an answer of which nobody knows how long it will be."""
    text = event_text(message)
    return b"%x\r\n%b\r\n" % (len(text), text)
