"""One address of a server, over aiohttp's connections without its session: whatever a server does, and
what this rests on of aiohttp that its documents do not tell of."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest
import trustme
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection
from waiting import until
from yarl import URL

from whoknew.agents.errors import Rejected
from whoknew.agents.models.connections import connector
from whoknew.agents.models.endpoint import Endpoint
from whoknew.agents.models.http import HttpModel
from whoknew.testing.models import ASKED

SAID = b"Good evening."
PLENTY = 2**20


def reply(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


GOOD = reply(SAID)


class WireServer:
    """Answers each request with bytes as they are, `said` by the number of the request, and notes what
    it was asked on which connection. An answer that is empty is none: it hangs up."""

    def __init__(self, said: Callable[[int], bytes], *, closes: bool = False) -> None:
        self._said, self._closes = said, closes
        self.asked: list[tuple[int, bytes, bytes]] = []
        """The number of the connection, the head and the body."""
        self.connections = self.closed = 0
        self.url = ""
        self.answers = asyncio.Event()
        self.answers.set()
        self.writer: asyncio.StreamWriter
        """Of the newest connection."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number, self.writer = self.connections, writer
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.asked.append((number, head, await reader.readexactly(length)))
                said = self._said(len(self.asked))
                await self.answers.wait()
                writer.write(said)
                await writer.drain()
                if self._closes or not said:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.closed += 1
            writer.close()


@asynccontextmanager
async def wire(
    said: Callable[[int], bytes] | bytes = GOOD,
    *,
    closes: bool = False,
    trusted: ssl.SSLContext | bool = True,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[tuple[WireServer, Endpoint]]:
    server = WireServer(said if callable(said) else lambda _: said, closes=closes)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    port = listening.sockets[0].getsockname()[1]
    url = URL(f"http{'s' if tls else ''}://127.0.0.1:{port}/v1/chat?of=1")
    server.url = str(url)
    async with listening, aiohttp.TCPConnector(limit=0, ssl=trusted) as connections:
        yield server, Endpoint(url, {"Authorization": "Bearer k"}, connections)


async def body_of(endpoint: Endpoint, largest: int = PLENTY) -> bytes:
    status, _, body = await endpoint.post(b"asked", largest)
    assert status == 200
    return body


# what it rests on


def test_aiohttp_still_has_what_an_endpoint_rests_on() -> None:
    """None of this is in the documents of aiohttp, so that any release may change it."""
    changed = f"aiohttp {aiohttp.__version__} has changed {{}}: see agents/models/endpoint.py"
    connect = inspect.signature(aiohttp.BaseConnector.connect)
    assert list(connect.parameters) == ["self", "req", "traces", "timeout"], changed.format(connect)
    settings = inspect.signature(ResponseHandler.set_response_params).parameters
    assert "read_until_eof" in settings, changed.format("ResponseHandler.set_response_params")
    needed = [name for name, one in settings.items() if one.default is one.empty]
    assert needed == ["self"], changed.format("ResponseHandler.set_response_params")
    assert inspect.iscoroutinefunction(ResponseHandler.read), changed.format("ResponseHandler.read")
    for name in ("protocol", "transport", "close", "release"):
        assert hasattr(Connection, name), changed.format(f"Connection.{name}")


async def test_what_is_sent_is_what_a_session_would_send() -> None:
    async with wire() as (server, endpoint):
        await body_of(endpoint)
        async with aiohttp.ClientSession() as session:
            headers = {"Authorization": "Bearer k"}
            async with session.post(endpoint.url, data=b"asked", headers=headers) as answer:
                await answer.read()
    (_, ours, body), (_, theirs, same) = server.asked
    assert body == same == b"asked"
    unnamed = b"Content-Type: application/octet-stream"  # what a session says where nothing is said
    lines = [line for line in theirs.split(b"\r\n") if line != unnamed]
    assert sorted(ours.split(b"\r\n")) == sorted(lines)


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("", "/chat/completions"),
        ("/a%2Fb?version=1&x=c%26d", "/a%2Fb/chat/completions?version=1&x=c%26d"),
    ],
)
async def test_the_query_of_an_address_stays_behind_its_path(address: str, path: str) -> None:
    said = reply(b'{"choices": [{"message": {"content": "Yes."}}]}')
    async with wire(said) as (server, endpoint), connector() as connections:
        model = HttpModel(f"{endpoint.url.origin()}{address}", "m", connections)
        assert (await model.complete(ASKED)).text == "Yes."
    assert server.asked[0][1].startswith(f"POST {path} HTTP".encode())


async def test_a_key_that_would_be_another_header_is_not_sent() -> None:
    async with wire() as (server, _), connector() as connections:
        model = HttpModel(server.url, "m", connections, key="k\r\nX: y")
        with pytest.raises(Rejected, match="a control character in its address or its key"):
            await model.complete(ASKED)
    assert not server.asked


async def test_a_login_in_its_address_does_not_take_the_place_of_a_key() -> None:
    async with wire() as (server, _), connector() as connections:
        url = server.url.replace("://", "://u:p@")
        model = HttpModel(url, "m", connections, key="k")
        with pytest.raises(Rejected, match="a login in its address, beside a key"):
            await model.complete(ASKED)
    assert not server.asked


# connections


async def test_calls_one_after_another_share_a_connection() -> None:
    async with wire() as (server, endpoint):
        assert [await body_of(endpoint) for _ in range(3)] == [SAID] * 3
    assert server.connections == 1


async def test_calls_at_once_have_a_connection_each() -> None:
    async with wire() as (server, endpoint):
        server.answers.clear()
        calls = [asyncio.create_task(body_of(endpoint)) for _ in range(5)]
        await until(lambda: len(server.asked) == 5)
        server.answers.set()
        assert await asyncio.gather(*calls) == [SAID] * 5
    assert server.connections == 5


async def test_the_connection_of_a_cancelled_call_is_not_used_again() -> None:
    """Its answer would be taken for that of another."""
    async with wire(lambda number: reply(b"%d" % number)) as (server, endpoint):
        await body_of(endpoint)
        server.answers.clear()
        call = asyncio.create_task(body_of(endpoint))
        await until(lambda: len(server.asked) == 2)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        server.answers.set()
        assert await body_of(endpoint) == b"3"
    assert [number for number, _, _ in server.asked] == [1, 1, 2]


async def test_who_is_cancelled_in_mid_answer_leaves_nothing_of_it() -> None:
    half = reply(SAID * 2)[: -len(SAID)]
    async with wire(lambda number: half if number == 1 else GOOD) as (server, endpoint):
        call = asyncio.create_task(body_of(endpoint))
        await until(lambda: server.asked)
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await body_of(endpoint) == SAID
    assert server.connections == 2


async def test_a_server_may_close_a_connection_that_waits() -> None:
    async with wire(closes=True) as (server, endpoint):
        for call in range(1, 4):
            assert await body_of(endpoint) == SAID
            await until(lambda call=call: server.closed == call)
            await asyncio.sleep(0.01)  # that word of it is here
    assert server.connections == 3


async def test_a_server_that_hangs_up_on_a_call_was_not_reached() -> None:
    """As one does that closes what waited too long while the call is on its way. To make it again is for
    `Retrying`: whether it was paid for nobody knows."""
    async with wire(lambda number: b"" if number == 2 else GOOD) as (server, endpoint):
        await body_of(endpoint)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await body_of(endpoint)
        assert await body_of(endpoint) == SAID
    assert [number for number, _, _ in server.asked] == [1, 1, 2]


async def test_a_connection_that_the_server_wants_closed_is_closed() -> None:
    async with wire(reply(SAID, "Connection: close")) as (server, endpoint):
        assert [await body_of(endpoint) for _ in range(2)] == [SAID] * 2
    assert server.connections == 2


async def test_what_is_answered_before_it_was_all_sent_ends_the_connection() -> None:
    """As a prompt that is too long: who reads no more of it would take the rest for the next call."""
    ended, connections = asyncio.Event(), list[asyncio.StreamWriter]()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply(b"", status="413 Too Large"))
        await ended.wait()
        writer.close()

    listening = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with listening, connector() as pool:
        endpoint = Endpoint(URL(f"http://127.0.0.1:{port}/"), {}, pool)
        for _ in range(2):
            status, _, _ = await endpoint.post(b"x" * 2**25, PLENTY)
            assert status == 413
        ended.set()
    assert len(connections) == 2


async def test_what_nobody_asked_for_is_no_answer_to_what_is_asked_next() -> None:
    async with wire(reply(b"1")) as (server, endpoint):
        await body_of(endpoint)
        server.writer.write(GOOD)
        await asyncio.sleep(0.01)  # that it is here
        with pytest.raises(aiohttp.ClientConnectionResetError):
            await body_of(endpoint)
        assert await body_of(endpoint) == b"1"
    assert server.connections == 2


# what comes back

CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nGood\r\n9\r\n evening.\r\n0\r\n\r\n"
)
WORDED = {
    "by its length": GOOD,
    "in chunks": CHUNKED,
    "after others": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    + GOOD,
    "packed": reply(gzip.compress(SAID), "Content-Encoding: gzip"),
}
BROKEN = {
    "nonsense": b"Good evening.\r\n\r\n",
    "no status": b"HTTP/1.1 OK\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 4\r\n\r\n", 1),
    "chunks of no length": CHUNKED.replace(b"4\r\n", b"four\r\n"),
    "a header without an end": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000,
    "half of it": GOOD[:-4],
    "packed, and is not": reply(SAID, "Content-Encoding: gzip"),
}


@pytest.mark.parametrize("how", WORDED)
async def test_an_answer_may_come_in_any_form(how: str) -> None:
    async with wire(WORDED[how]) as (server, endpoint):
        assert [await body_of(endpoint) for _ in range(2)] == [SAID] * 2
    assert server.connections == 1


async def test_an_answer_may_end_with_its_connection() -> None:
    async with wire(b"HTTP/1.1 200 OK\r\n\r\n" + SAID, closes=True) as (server, endpoint):
        assert [await body_of(endpoint) for _ in range(2)] == [SAID] * 2
    assert server.connections == 2


@pytest.mark.parametrize("how", BROKEN)
async def test_what_is_no_http_is_told_in_few_words_and_ends_the_connection(how: str) -> None:
    async with wire(lambda n: GOOD if n > 1 else BROKEN[how], closes=True) as (server, endpoint):
        with pytest.raises(aiohttp.ClientError) as caught:
            await body_of(endpoint)
        assert len(str(caught.value)) < 1000
        assert await body_of(endpoint) == SAID
    assert server.connections == 2


async def test_of_what_is_too_long_no_more_is_read_than_shows_it() -> None:
    async with wire(reply(SAID * 10**6)) as (server, endpoint):
        for _ in range(2):
            assert await body_of(endpoint, largest=5) == SAID[:6]
    assert server.connections == 2, "the rest of it was on its way"


# TLS


def tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


async def test_over_tls_it_is_the_same() -> None:
    authority, trusting = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusting)
    async with wire(tls=tls(authority), trusted=trusting) as (server, endpoint):
        assert [await body_of(endpoint) for _ in range(2)] == [SAID] * 2
    assert server.connections == 1


async def test_a_server_whom_nobody_vouches_for_is_told_nothing() -> None:
    async with wire(tls=tls(trustme.CA())) as (server, endpoint):
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await body_of(endpoint)
    assert not server.asked
