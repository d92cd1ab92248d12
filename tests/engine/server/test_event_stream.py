"""Server-sent events: what a WebSocket brings, to whoever only reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest_asyncio
from aiohttp import ClientResponse
from diner_world import WORLD, nights
from waiting import PATIENCE, until
from whoknew_server import Served, begun, says, served

from whoknew.eventlog import Log, open_log

STREAM = {"Accept": "text/event-stream"}


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log)
        yield log


@asynccontextmanager
async def watched(server: Served, path: str, **headers: str) -> AsyncIterator[ClientResponse]:
    async with server.client.get(path, headers=STREAM | headers) as response:
        assert response.status == 200, await response.text()
        assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-store"
        yield response


async def sent(response: ClientResponse) -> tuple[int | None, dict[str, Any]] | None:
    """The next message, with the place to go on from; nothing, when the stream is over."""
    place: int | None = None
    async with asyncio.timeout(PATIENCE):
        async for line in response.content:
            name, _, text = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                place = int(text)
            if name == "data":
                return place, msgspec.json.decode(text)
    return None


async def heard(response: ClientResponse, upto: int) -> list[int]:
    seqs: list[int] = []
    while not seqs or seqs[-1] < upto:
        message = await sent(response)
        assert message is not None
        if message[1]["type"] == "events":
            seqs += [event["seq"] for event in message[1]["events"]]
            assert message[0] == message[1]["upto"]
    return seqs


async def test_what_was_comes_first_and_then_what_happens(server: Served, log: Log) -> None:
    async with watched(server, "/api/v1/worlds/w/stream") as stream:
        hello = {"type": "hello", "world": "w", "after": 0, "head": 4, "who": None}
        assert await sent(stream) == (None, hello)
        assert await heard(stream, 4) == [1, 2, 3, 4]
        assert await sent(stream) == (4, {"type": "live", "upto": 4})
        for number in range(5):
            await log.append("w", [says(f"line\n{number}")])
        assert await heard(stream, 9) == [5, 6, 7, 8, 9]


async def test_after_a_break_a_browser_goes_on_where_it_was(server: Served, log: Log) -> None:
    path = "/api/v1/worlds/w/stream?from=%231"
    async with watched(server, path, **{"Last-Event-ID": "3"}) as stream:
        assert await heard(stream, 4) == [4]
    async with watched(server, path, **{"Last-Event-ID": "no number"}) as stream:
        assert await heard(stream, 4) == [2, 3, 4]


async def test_readers_and_sockets_share_a_channel_and_all_hear_all(
    server: Served, log: Log
) -> None:
    path = "/api/v1/worlds/w/stream?from=end"
    async with (
        watched(server, path) as one,
        watched(server, path) as other,
        server.client.ws_connect(path) as socket,
    ):
        for number in range(300):
            await log.append("w", [says(f"{number}")])
        assert await heard(one, 304) == await heard(other, 304) == list(range(5, 305))
        seqs: list[int] = []
        while not seqs or seqs[-1] < 304:
            found = await socket.receive_json(timeout=PATIENCE)
            seqs += [event["seq"] for event in found.get("events", ())]
        assert seqs == list(range(5, 305))


async def test_who_has_gone_is_let_go(server: Served, log: Log) -> None:
    async with watched(server, "/api/v1/worlds/w/stream") as stream:
        await heard(stream, 4)
        await until(lambda: server.server.viewers == 1)
        stream.close()
        await until(lambda: server.server.viewers == 0)


async def test_a_character_is_sent_what_it_perceived_and_cut_off_when_its_token_ends(
    log: Log,
) -> None:
    async with served(log, control="c" * 20) as server:
        given = await server.access.tokens.give("w", "Bob")
        path = f"/api/v1/worlds/w/stream?token={given.token}"
        async with watched(server, path) as stream:
            await log.append("w", [says("aside", "Ann", ("Ann",)), says("loud")])
            said: list[str] = []
            while "loud" not in said:
                message = await sent(stream)
                assert message is not None
                events = message[1].get("events", ())
                assert not any("seq" in event for event in events)
                said += [event["body"].get("text", "") for event in events]
            assert "aside" not in said
            await server.access.tokens.revoke(given.id)
            last = [message async for message in rest(stream)]
            assert last[-1]["type"] == "bye" and last[-1]["again"]
        async with server.client.get(path, headers=STREAM) as response:
            assert response.status == 401
        async with server.client.get("/api/v1/worlds/w/stream", headers=STREAM) as response:
            assert response.status == 401


async def rest(stream: ClientResponse) -> AsyncIterator[dict[str, Any]]:
    while message := await sent(stream):
        yield message[1]


async def test_whoever_asks_for_neither_is_told_how_to_ask(server: Served) -> None:
    async with server.client.get("/api/v1/worlds/w/stream") as response:
        assert response.status == 400
        assert "Accept: text/event-stream" in (await response.json())["error"]


async def test_a_server_that_stops_says_so(tmp_path: Path) -> None:
    async with open_log(nights(tmp_path)) as log, served(log) as server:
        response = await server.client.get(
            f"/api/v1/worlds/{WORLD}/stream?from=end", headers=STREAM
        )
        assert (await sent(response)) is not None
        await until(lambda: server.server.viewers == 1)
        closing = asyncio.create_task(server.server.app.shutdown())
        last = [message async for message in rest(response)]
        await closing
    assert "stopping" in last[-1]["why"]
