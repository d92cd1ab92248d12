"""One address of a server that prompts are POSTed to: aiohttp's connections and its reading of HTTP,
without its `ClientSession`.

The connector looks names up, speaks TLS and keeps connections; its protocol and its parser, in C, read
what a server answers. What a session puts on top is for any request with any body: each is built anew,
its body is sent by a task of its own, cookies, traces and timers are seen to. That is three fifths of a
call's time (0.36 ms of the processor with it, 0.16 without, on a busy machine), and of all that comes
to an address only the body is another each time.

`Connection.protocol`, with `set_response_params` and `read`, is nowhere in the documents of aiohttp.
`test_endpoint.py` says which of it a release has changed.
"""

from __future__ import annotations

import re
from asyncio import Transport
from collections.abc import Mapping

from aiohttp import (
    BaseConnector,
    ClientConnectionResetError,
    ClientPayloadError,
    ClientRequest,
    ClientTimeout,
)
from aiohttp.connector import Connection
from aiohttp.hdrs import CONTENT_LENGTH
from aiohttp.http import HttpProcessingError
from yarl import URL

UNTIMED = ClientTimeout(total=None)
"""It is by `Deadlines` that nobody waits too long."""

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What ends a header, or makes another of it."""

Answer = tuple[int, Mapping[str, str], bytes]
"""The status, the headers and the body."""


class Endpoint:
    """Whoever opened the connector closes it."""

    def __init__(self, url: URL, headers: Mapping[str, str], connector: BaseConnector) -> None:
        if url.user is not None and "Authorization" in headers:
            raise ValueError("a login in its address, beside a key: leave out one of the two")
        self.url, self._connector = url, connector
        self._request = ClientRequest("POST", url, headers=headers)
        self._head = _head(self._request)

    async def post(self, data: bytes, largest: int) -> Answer:
        """What comes back. Of what is longer than the `largest` only so much is read that this shows."""
        connection = await self._connector.connect(self._request, [], UNTIMED)
        try:
            transport = _free(connection)
            transport.write(b"%b%d\r\n\r\n%b" % (self._head, len(data), data))
            answer = await _received(connection, largest)
        except HttpProcessingError as error:
            connection.close()
            raise ClientPayloadError(" ".join(f"no HTTP: {error.message}".split())) from None
        except BaseException:
            connection.close()  # something of the answer may still come
            raise
        if transport.get_write_buffer_size():  # answered before all was sent
            connection.close()
        connection.release()
        return answer


def _head(request: ClientRequest) -> bytes:
    """What is sent before each body, up to the length of it."""
    request.headers.popall(CONTENT_LENGTH, None)
    lines = [f"POST {request.url.raw_path_qs} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in request.headers.items()]
    if any(map(CONTROL.search, lines)):
        raise ValueError("a control character in its address or its key")
    return "\r\n".join([*lines, f"{CONTENT_LENGTH}: "]).encode()


def _free(connection: Connection) -> Transport:
    """What is to be written to, where nothing of another call is under way."""
    protocol, transport = connection.protocol, connection.transport
    if protocol is None or transport is None or transport.is_closing():
        raise ClientConnectionResetError("it was closed before anything was sent")
    if protocol.should_close:  # the next answer would be taken for that to this call
        raise ClientConnectionResetError("it answered what nobody had asked")
    return transport


async def _received(connection: Connection, largest: int) -> Answer:
    protocol = connection.protocol
    assert protocol is not None
    protocol.set_response_params(read_until_eof=True)
    message, content = await protocol.read()
    while 100 <= message.code < 200 and message.code != 101:  # it is still at it
        message, content = await protocol.read()
    body = bytearray()  # what a server says of its length is not believed
    while len(body) <= largest and not content.at_eof():
        body += await content.read(largest + 1 - len(body))
    return message.code, message.headers, bytes(body)
