"""Whoever asks slowly, wrongly or too often keeps nobody else from being answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from aiohttp import WSMsgType
from waiting import PATIENCE, until
from whoknew_server import Served, begun, says, served

from whoknew.engine.errors import EngineError
from whoknew.engine.server.connections import TimeOuts, check_room
from whoknew.eventlog import Log, open_log

SHORT = TimeOuts(asking=0.3, sending=0.3, taking=1.0, leaving=0.3)
LONG = TimeOuts(asking=PATIENCE, sending=PATIENCE, taking=PATIENCE, leaving=PATIENCE)
FIRST = b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n"


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log)
        yield log


async def sent(server: Served, content: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(content)
    return reader, writer


async def left(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def answered(server: Served, content: bytes) -> tuple[int, Any]:
    """The status and the body of what comes back, until the server closes the connection."""
    reader, writer = await sent(server, content)
    async with asyncio.timeout(PATIENCE):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    await left(writer)
    assert b"application/json" in head, head
    assert b"Content-Security-Policy" in head or b" 503 " in head
    return int(head.split(b" ")[1]), msgspec.json.decode(body)


async def test_three_hundred_half_sent_headers_are_closed(log: Log) -> None:
    async with served(log, patience=SHORT) as server, asyncio.timeout(PATIENCE):
        halves = [FIRST[:size] for size in (0, 1, 20, len(FIRST))] * 75
        opened = [await sent(server, half) for half in halves]
        for reader, writer in opened:
            with suppress(ConnectionResetError):  # what came after the server had closed
                assert await reader.read() == b""
            await left(writer)
        async with server.client.get("/api/v1/version") as response:
            assert response.status == 200


async def test_a_second_request_must_come_in_time_too(log: Log) -> None:
    async with served(log, patience=SHORT) as server, asyncio.timeout(PATIENCE):
        reader, writer = await sent(server, FIRST + b"\r\n" + FIRST)
        assert (await reader.read()).count(b"HTTP/1.1 200") == 1
        await left(writer)


async def test_half_a_body_is_not_waited_for(log: Log) -> None:
    head = b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{"
    async with served(log, patience=SHORT) as server:
        status, body = await answered(server, head)
    assert status == 408
    assert "within 0.3 s" in body["error"]


async def test_one_connection_too_many_is_told_so(log: Log) -> None:
    async with served(log, most=3) as server, asyncio.timeout(PATIENCE):
        held = [await sent(server, FIRST) for _ in range(3)]
        for _ in range(5):
            status, body = await answered(server, FIRST + b"\r\n")
            assert status == 503
            assert "3 connections" in body["error"]
        for _, writer in held:
            await left(writer)
        while True:
            reader, writer = await sent(server, FIRST + b"Connection: close\r\n\r\n")
            found = await reader.read()
            await left(writer)
            if b" 200 " in found:
                break


async def test_a_crowd_is_refused_and_the_others_are_answered(log: Log) -> None:
    async with served(log, most=50, patience=SHORT) as server, asyncio.timeout(PATIENCE):
        socket = await server.client.ws_connect("/api/v1/worlds/w/stream")
        crowd = [await sent(server, FIRST) for _ in range(500)]
        await log.append("w", [says("still here")])
        while "still here" not in await socket.receive_str():
            pass
        for reader, writer in crowd:
            with suppress(ConnectionError):
                assert (await reader.read())[:12] in (b"", b"HTTP/1.1 503")
            await left(writer)
        await socket.close()


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        (b"HELLO\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (FIRST + b"Expect: \xff\r\n\r\n", 400),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n", 431),
        (FIRST + b"X: " + b"x" * 70_000 + b"\r\n\r\n", 431),
        (FIRST + b"".join(b"X%d: y\r\n" % n for n in range(2000)) + b"\r\n", 400),
    ],
)
async def test_what_is_no_request_is_told_in_json(
    log: Log, content: bytes, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(log, patience=LONG) as server:
        found, body = await answered(server, content)
    assert found == status
    assert "no HTTP request" in body["error"]
    written = capsys.readouterr()
    assert "Traceback" not in written.out + written.err + body["error"]


async def test_a_body_that_is_cut_wrong_is_told_in_json(
    log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    chunked = (
        b"Host: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n"
    )
    async with served(log, patience=LONG) as server:
        for line in (b"POST /api/v1/runs HTTP/1.1\r\n", b"POST /nowhere HTTP/1.1\r\n"):
            status, body = await answered(server, line + chunked)
            assert status in (400, 404, 405), body
            assert body["error"]
    written = capsys.readouterr()
    assert "Traceback" not in written.out + written.err


async def test_a_viewer_that_takes_nothing_is_given_up(log: Log) -> None:
    for _ in range(40):
        await log.append("w", [says("x" * 400_000)])
    async with served(log, patience=SHORT) as server, asyncio.timeout(PATIENCE):
        ask = (
            b"GET /api/v1/worlds/w/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        _, writer = await sent(server, ask)
        writer.transport.pause_reading()
        await until(lambda: server.server.viewers)
        await until(lambda: not server.server.viewers)
        await left(writer)


async def test_a_viewer_is_told_when_its_stream_fails(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(log) as server, asyncio.timeout(PATIENCE):
        async with server.client.ws_connect("/api/v1/worlds/w/stream") as socket:
            while (await socket.receive_json())["type"] != "live":
                pass
            monkeypatch.setattr("whoknew.engine.server.stream.Channel._send", _fails)
            monkeypatch.setattr("whoknew.engine.server.stream.Streams._catch_up", _fails)
            (channel,) = server.server._streams._channels.values()
            channel._end("the disk failed")
            message = await socket.receive()
            assert message.type == WSMsgType.TEXT
            assert message.json()["type"] == "bye"
            assert "fault of the server" in message.json()["why"]
        async with server.client.get("/api/v1/version") as response:
            assert response.status == 200


async def _fails(*_: object) -> None:
    raise RuntimeError("planted")


def test_more_connections_than_the_system_has_files_for_are_refused() -> None:
    with pytest.raises(EngineError, match="--connections"):
        check_room(2**40)
