"""A thousand viewers of one world: how soon each hears of each event, and what that costs."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType
from figure import Figure, Reach, percentile
from msgspec import Struct
from server import PATIENCE, started
from session import Session

HERE = Path(__file__).parent
RATE = 100


class Body(Struct):
    text: str = ""


class Event(Struct):
    seq: int
    body: Body


class Message(Struct):
    type: str
    events: list[Event] = []


class Saw(Struct):
    """What the viewers saw: how many events in all, and the waits of those of every tenth."""

    events: int
    waits: list[float]
    cpu: float
    rss: float
    missed: int
    """Viewers that did not get every event; of those that read as fast as they can."""

    @property
    def late(self) -> float:
        """p99 of the waits, in ms."""
        return 1000 * percentile(self.waits, 0.99)


decode = msgspec.json.Decoder(Message).decode


def figures(session: Session) -> Iterator[Figure]:
    viewers, seconds, slow = session.size(1000, 20), session.size(30, 1), session.size(50, 2)

    def run(kind: str, slow: int = 0) -> Callable[[], Saw]:
        return lambda: measured(kind, session.folder, viewers, seconds, slow)

    mine, bare, slowed = session.in_turn(run("ours"), run("bare"), run("ours", slow), runs=3)
    name = f"{viewers:,} viewers, {RATE} events/s"
    yield from _beside_bare(name, mine, bare)
    yield from _beside_slow(name, mine, slowed, slow)


def _beside_bare(name: str, mine: list[Saw], bare: list[Saw]) -> Iterator[Figure]:
    server = "a bare aiohttp server that sends each event to each viewer"
    yield Figure(
        f"{name}: deliveries a second of server CPU",
        "events/s",
        [one.events / one.cpu for one in mine],
        [one.events / one.cpu for one in bare],
        f"the same of {server}",
        Reach(1.5, "times"),
    )
    yield Figure(
        f"{name}: viewers that missed an event",
        "",
        [float(one.missed) for one in mine],
        reach=Reach(0, "most"),
    )
    yield Figure(
        f"{name}: from append to receipt, p99",
        "ms",
        [one.late for one in mine],
        [one.late for one in bare],
        f"ms of {server}",
        Reach(150, "most"),
    )


def _beside_slow(name: str, mine: list[Saw], slowed: list[Saw], slow: int) -> Iterator[Figure]:
    yield Figure(
        f"{name}, {slow} of them reading a frame a second: p99 of the others",
        "ms",
        [one.late for one in slowed],
        [one.late for one in mine],
        "ms without the slow ones",
        Reach(150, "most"),
        notes={"others that missed an event": str(sum(one.missed for one in slowed))},
    )
    yield Figure(
        f"{name}: memory of the server, at most",
        "MB",
        [one.rss for one in slowed],
        [one.rss for one in mine],
        "MB without the slow ones",
    )


def measured(kind: str, folder: Path, viewers: int, seconds: int, slow: int) -> Saw:
    for file in folder.glob("viewers.db*"):
        file.unlink()
    program = HERE / "broadcaster.py"
    with started(sys.executable, program, kind, folder, viewers, RATE, seconds) as server:
        port = int(server.line())
        seen, waits, missed = asyncio.run(_view(port, viewers, seconds * RATE, slow))
        found = json.loads(server.line())
    return Saw(seen, waits, found["cpu"], found["rss"], missed)


async def _view(port: int, viewers: int, events: int, slow: int) -> tuple[int, list[float], int]:
    waits: list[float] = []
    counts = [0] * viewers
    url = f"http://127.0.0.1:{port}/api/v1/worlds/w/stream?from=end"
    async with (
        asyncio.timeout(2 * events / RATE + PATIENCE),
        ClientSession(connector=TCPConnector(limit=0)) as client,
    ):
        sockets = [await client.ws_connect(url, max_msg_size=0) for _ in range(viewers)]
        async with asyncio.TaskGroup() as group:
            for number, socket in enumerate(sockets):
                if number < slow:
                    group.create_task(_slowly(socket, events // RATE + 2))
                else:
                    group.create_task(_watch(socket, number, events, counts, waits))
        for socket in sockets:
            await socket.close()
    return sum(counts), waits, sum(count != events for count in counts[slow:])


async def _watch(
    socket: ClientWebSocketResponse, number: int, events: int, counts: list[int], waits: list[float]
) -> None:
    while counts[number] < events:
        message = await socket.receive()
        if message.type != WSMsgType.TEXT:
            return
        found = decode(message.data).events
        counts[number] += len(found)
        if number % 10 == 0:
            now = time()
            waits += [now - float(event.body.text[:17]) for event in found]


async def _slowly(socket: ClientWebSocketResponse, seconds: int) -> None:
    for _ in range(seconds):
        await socket.receive()
        await asyncio.sleep(1)
