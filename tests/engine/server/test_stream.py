"""Streams: every event once and in order, whoever comes, goes and comes back; the slow alone wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
from aiohttp import ClientWebSocketResponse, WSMsgType, web
from diner_world import WORLD, nights
from waiting import PATIENCE, until
from whoknew_server import Served, begun, says, served

from whoknew.engine.server import sockets
from whoknew.engine.server.pages import BYTES
from whoknew.engine.server.stream import PROTOCOL
from whoknew.engine.server.stream import Live as LiveMessage
from whoknew.engine.server.wires import Wire, socket_frame
from whoknew.eventlog import Log, open_log


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log)
        yield log


async def heard(socket: ClientWebSocketResponse, upto: int) -> list[int]:
    """The seqs that come, until one has."""
    seqs: list[int] = []
    async with asyncio.timeout(PATIENCE):
        while not seqs or seqs[-1] < upto:
            message = await socket.receive()
            assert message.type == WSMsgType.TEXT, message
            found = message.json()
            if found["type"] == "events":
                seqs += [event["seq"] for event in found["events"]]
    return seqs


async def test_what_was_comes_first_and_then_what_happens(server: Served, log: Log) -> None:
    async with server.client.ws_connect("/api/v1/worlds/w/stream", protocols=[PROTOCOL]) as socket:
        assert socket.protocol == PROTOCOL
        hello = await socket.receive_json()
        assert hello == {"type": "hello", "world": "w", "after": 0, "head": 4, "who": None}
        assert [one["seq"] for one in (await socket.receive_json())["events"]] == [1, 2, 3, 4]
        assert await socket.receive_json() == {"type": "live", "upto": 4}
        for number in range(5):
            await log.append("w", [says(f"{number}")])
        assert await heard(socket, 9) == [5, 6, 7, 8, 9]


async def test_one_goes_on_where_one_was(server: Served, log: Log) -> None:
    async with server.client.ws_connect("/api/v1/worlds/w/stream?from=%233") as socket:
        assert (await socket.receive_json())["after"] == 3
        assert await heard(socket, 4) == [4]


async def test_as_somebody_one_hears_what_it_perceives(server: Served, log: Log) -> None:
    async with server.client.ws_connect("/api/v1/worlds/w/stream?as=Bob") as socket:
        await log.append("w", [says("aside", "Ann", ("Ann",)), says("loud")])
        assert await heard(socket, 6) == [3, 4, 6]
        await log.append("w", [says("aside", "Ann", ("Ann",))])
        await log.append("w", [says("loud")])
        assert await heard(socket, 8) == [8]


async def test_two_hundred_breaks_lose_and_repeat_nothing(server: Served, log: Log) -> None:
    random = Random(1)

    async def write() -> None:
        for number in range(600):
            await log.append("w", [says(f"{number}")])
            await asyncio.sleep(random.random() / 300)

    writing = asyncio.create_task(write())
    seqs: list[int] = []
    breaks = 0
    async with asyncio.timeout(PATIENCE):
        while breaks < 200 or len(seqs) < 604:
            after = seqs[-1] if seqs else 0
            async with server.client.ws_connect(
                f"/api/v1/worlds/w/stream?from=%23{after}"
            ) as socket:
                for _ in range(random.randrange(1, 5)):
                    if len(seqs) == 604:
                        break  # nothing more comes
                    found = (await socket.receive()).json()
                    seqs += [one["seq"] for one in found.get("events", [])]
            breaks += 1
    await writing
    assert seqs == [event.seq async for event in log.read("w")]


async def test_many_come_at_any_moment_and_all_hear_all(server: Served, log: Log) -> None:
    async def look(wait: float) -> list[int]:
        await asyncio.sleep(wait)
        async with server.client.ws_connect("/api/v1/worlds/w/stream") as socket:
            return await heard(socket, 304)

    async def write() -> None:
        for number in range(300):
            await log.append("w", [says(f"{number}")])
            if number % 10 == 0:
                await asyncio.sleep(0.01)

    async with asyncio.TaskGroup() as group:
        lookers = [group.create_task(look(n / 100)) for n in range(40)]
        group.create_task(write())
    assert all(task.result() == list(range(1, 305)) for task in lookers)


async def test_a_slow_viewer_slows_nobody_and_hears_all_in_the_end(
    server: Served, log: Log
) -> None:
    async with (
        server.client.ws_connect("/api/v1/worlds/w/stream", max_msg_size=0) as slow,
        server.client.ws_connect("/api/v1/worlds/w/stream", max_msg_size=0) as quick,
    ):
        await heard(quick, 4)
        big = "x" * 50_000
        for _ in range(200):
            await log.append("w", [says(big)])
            await asyncio.sleep(0.002)
        assert await heard(quick, 204) == list(range(5, 205))
        assert await heard(slow, 204) == list(range(1, 205))


@pytest.mark.parametrize("query", ["", "?as=Bob"])
async def test_no_frame_is_larger_than_a_page_of_events(
    server: Served, log: Log, query: str
) -> None:
    """Whoever takes nothing would be kept all of it in memory: of what was, and of what happens."""
    written = [says(f"{number} " + "x" * 40_000) for number in range(200)]
    await log.append("w", written)
    async with server.client.ws_connect(
        f"/api/v1/worlds/w/stream{query}", max_msg_size=BYTES + 10_000
    ) as socket:
        await heard(socket, 204)
        await log.append("w", written)
        assert await heard(socket, 404) == list(range(205, 405))


async def test_nobody_is_left_behind_in_memory(server: Served, log: Log) -> None:
    for _ in range(20):
        async with server.client.ws_connect("/api/v1/worlds/w/stream") as socket:
            await heard(socket, 4)
    await until(lambda: server.server._streams.viewers == 0)
    assert not server.server._streams._channels


async def test_who_comes_as_a_seat_is_taken_is_told_nothing_of_the_world(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even how far it is: what could be seen was chosen before."""
    opened = sockets._opened

    async def meanwhile(request: web.Request) -> tuple[web.StreamResponse, Wire]:
        found = await opened(request)
        await server.access.tokens.give("w", "Bob", seat=True)
        return found

    monkeypatch.setattr(sockets, "_opened", meanwhile)
    async with server.client.ws_connect("/api/v1/worlds/w/stream") as socket:
        first = await socket.receive_json(timeout=PATIENCE)
    assert (first["type"], first["again"]) == ("bye", True)


async def test_another_protocol_is_refused(server: Served) -> None:
    with pytest.raises(Exception, match="400"):
        await server.client.ws_connect("/api/v1/worlds/w/stream", protocols=["whoknew.v9"])


async def test_when_the_server_stops_its_viewers_are_told(log: Log) -> None:
    async with served(log) as server:
        socket = await server.client.ws_connect("/api/v1/worlds/w/stream")
        await heard(socket, 4)
        stopping = asyncio.create_task(server.server._shut_down(server.server.app))
        kinds = []
        async with asyncio.timeout(PATIENCE):
            while not socket.closed:
                message = await socket.receive()
                kinds.append(message.json()["type"] if message.type == WSMsgType.TEXT else "close")
        await stopping
    assert "bye" in kinds


@pytest.mark.parametrize("size", [1, 100, 125, 126, 65_535, 65_536, 200_000])
async def test_frames_of_any_size_are_read_as_they_were(size: int, log: Log) -> None:
    """By a client of the library's: an event of any size, sent to many in one frame."""
    async with (
        served(log) as server,
        server.client.ws_connect("/api/v1/worlds/w/stream", max_msg_size=0) as socket,
    ):
        await heard(socket, 4)
        await log.append("w", [says("é" * size)])
        async with asyncio.timeout(PATIENCE):
            while True:
                found = (await socket.receive()).json()
                if found["type"] == "events":
                    assert found["events"][0]["body"]["text"] == "é" * size
                    break


def test_a_frame_is_text_and_final() -> None:
    assert socket_frame(LiveMessage(5))[:1] == b"\x81"


async def test_a_log_that_another_process_writes_is_followed(tmp_path: Path) -> None:
    file = nights(tmp_path)
    async with open_log(file) as writer, open_log(file, read_only=True) as reader:
        head = (await writer.lineage.find(WORLD)).head
        async with (
            served(reader, writable=False) as server,
            server.client.ws_connect(f"/api/v1/worlds/{WORLD}/stream?from=%23{head}") as socket,
        ):
            await socket.receive()
            await writer.append(WORLD, [says("Hm.", "Vera", ("Vera",))])
            assert await heard(socket, head + 1) == [head + 1]
