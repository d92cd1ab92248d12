"""The connections of a server: how many there may be, how long each may keep it waiting, and what is
said of bytes that are no request."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from msgspec import Struct

from whoknew.engine.server.answers import FAULT, HEADERS, problem
from whoknew.engine.server.errors import NoRoom
from whoknew.engine.server.routes import Problem
from whoknew.eventlog.logger import logger

MOST = 1000
"""Connections at once, where nobody says otherwise."""

SPARE = 100
"""Open files that are left for the log, models, and connections that are being refused."""

LOOKS = 20
"""So often a connection that takes nothing is looked at before it is given up: if it has taken
anything in between, it is only slow."""


class TimeOuts(Struct, frozen=True, kw_only=True):
    """Seconds that a client may take. `asking`: until a request's headers have come, from when it
    connected or was answered last. `sending`: until the request's body has come. `taking`: without
    taking any of what it is sent. `leaving`: until it has gone, after an answer that ends the
    connection."""

    asking: float = 15.0
    sending: float = 15.0
    taking: float = 60.0
    leaving: float = 2.0


USUAL = TimeOuts()


class Runner(web.AppRunner):
    """Runs an application; `most` connections at once are let in."""

    def __init__(self, app: web.Application, most: int = MOST, patience: TimeOuts = USUAL) -> None:
        super().__init__(app, access_log=None, shutdown_timeout=0.5)
        self._most, self._patience = most, patience

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        return Connections(made.request_handler, made.request_factory, self._most, self._patience)


class Connections(web.Server):
    """All of them: those that are let in, and those that are being refused."""

    def __init__(
        self,
        handler: Callable[[Any], Awaitable[web.StreamResponse]],
        request_factory: Any,
        most: int,
        patience: TimeOuts,
    ) -> None:
        super().__init__(handler, request_factory=request_factory)
        self.most, self.patience = most, patience
        self.let_in = self.refused = 0

    def __call__(self) -> web.RequestHandler:
        return ClientConnection(self)


class ClientConnection(web.RequestHandler):
    """One of them. Beyond the number that is let in, it is told so and closed."""

    __slots__ = ("_all", "_refused", "_watch")

    def __init__(self, connections: Connections) -> None:
        super().__init__(
            connections,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]
            keepalive_timeout=connections.patience.asking,
            lingering_time=connections.patience.leaving,
            auto_decompress=False,
        )
        self._all = connections
        self._refused = False
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        if self._all.let_in >= self._all.most:
            self._refuse(transport)
            return
        self._all.let_in += 1
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._unwatch()
        if self._refused:
            self._all.refused -= 1
            return
        self._all.let_in -= 1
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.transport is not None and self._watch is None:
            self._look(self.transport, LOOKS, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._unwatch()
        super().resume_writing()

    def _refuse(self, transport: asyncio.Transport) -> None:
        """Say that there is no room. The client may still be sending its request: closed at once, it
        would see the connection break before it saw the answer."""
        self._refused = True
        self._all.refused += 1
        if self._all.refused > SPARE // 2:
            transport.abort()
            return
        transport.write(_full(self._all.most))
        transport.write_eof()
        asyncio.get_running_loop().call_later(self._all.patience.leaving, transport.abort)

    def _look(self, transport: asyncio.Transport, looks: int, before: int) -> None:
        size = transport.get_write_buffer_size()
        looks = LOOKS if size < before else looks - 1
        if looks < 0:
            transport.abort()
            return
        wait = self._all.patience.taking / LOOKS
        loop = asyncio.get_running_loop()
        self._watch = loop.call_later(wait, self._look, transport, looks, size)

    def _unwatch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """What came was no request, or went wrong before anybody could look at it."""
        if request.writer.output_size > 0:
            raise ConnectionError("half of an answer was sent already")
        if isinstance(exc, HttpProcessingError):
            status = 431 if isinstance(exc, LineTooLong) else 400
            error = f"this is no HTTP request that can be read: {_line(exc.message)}"
        elif isinstance(exc, UnicodeError):  # a header that the parser let pass and quotes
            status, error = 400, "this is no HTTP request that can be read: no UTF-8 in a header"
        else:
            self.log_exception("a request failed", exc_info=exc)
            error = FAULT
        response = problem(status, error)
        response.headers.update(HEADERS)
        response.force_close()
        return response

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """What was refused before the application was asked (417) is said as everything is."""
        if isinstance(resp, web.HTTPException):
            refused = problem(resp.status, resp.text or resp.reason)
            refused.headers.update(HEADERS)
            resp = refused
        return await super().finish_response(request, resp, start_time)

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Of what clients send wrong nothing is written down: they have been told."""
        error = kw.get("exc_info")
        if not isinstance(error, HttpProcessingError | web.RequestPayloadError | ConnectionError):
            logger().error("connection.failed", exc_info=error)


def check_room(most: int) -> None:
    """Whether so many connections can be open; the system's own limit is raised where it may be."""
    needed = most + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise NoRoom(
            f"{most} connections need {needed} open files, but this system allows {hard}: take "
            f"--connections {max(1, hard - SPARE)}, or raise the limit (ulimit -n)"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _line(message: str) -> str:
    """What was wrong, without the bytes that were: those are the client's own."""
    return message.strip().split("\n")[0].rstrip(":")[:200]


def _full(most: int) -> bytes:
    body = msgspec.json.encode(
        Problem(f"this server has {most} connections open, and takes no more: come again later")
    )
    head = (
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nRetry-After: 5\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
