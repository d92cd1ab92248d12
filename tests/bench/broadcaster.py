"""A server of its own process for `viewers.py`: ours, or a bare one that sends each event to each.

    broadcaster.py ours|bare FOLDER VIEWERS EVENTS_A_SECOND SECONDS

It prints its port, waits for the viewers, appends, and prints what that took.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from time import perf_counter, process_time, time

from aiohttp import web
from memory import most

from whoknew.engine.server.access import Access
from whoknew.engine.server.app import Server
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened

WORLD = "w"
WORDS = "I have counted the lamps, and there is one too many on the water tonight. " * 2

PATIENCE = 60
"""Seconds for the viewers to come."""


async def ours(folder: Path, viewers: int, rate: int, seconds: int) -> None:
    async with open_log(folder / "viewers.db") as log:
        opened = Draft(WorldOpened("Viewers"), datetime(2000, 1, 1))
        await log.append(WORLD, [opened, Draft(CharacterAdded("Ann"))])
        server = Server(log, Access("127.0.0.1", 0), writable=True)
        runner = await _listening(server.app)
        await _all_there(lambda: server.viewers, viewers)
        begun = process_time()

        async def send(text: str) -> None:
            await log.append(WORLD, [Draft(Acted(text), actor="Ann", witnesses=("Ann",))])

        await _paced(send, rate, seconds)
        await asyncio.sleep(1.0)
        _report(process_time() - begun)
        await asyncio.sleep(2.0)
        await runner.cleanup()


async def bare(folder: Path, viewers: int, rate: int, seconds: int) -> None:
    """What there is to do at the least, done as one would do it first."""
    sockets: set[web.WebSocketResponse] = set()

    async def stream(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.add(socket)
        async for _ in socket:
            pass
        return socket

    app = web.Application()
    app.router.add_get("/api/v1/worlds/w/stream", stream)
    runner = await _listening(app)
    await _all_there(lambda: len(sockets), viewers)
    begun = process_time()
    seq = 0

    async def send(text: str) -> None:
        nonlocal seq
        seq += 1
        event = {"seq": seq, "body": {"kind": "episode.acted", "text": text}, "actor": "Ann"}
        message = json.dumps({"type": "events", "events": [event], "upto": seq})
        for socket in sockets:
            await socket.send_str(message)

    await _paced(send, rate, seconds)
    await asyncio.sleep(1.0)
    _report(process_time() - begun)
    await asyncio.sleep(2.0)
    await runner.cleanup()


async def _listening(app: web.Application) -> web.AppRunner:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=2048).start()
    print(runner.addresses[0][1], flush=True)
    return runner


async def _all_there(there: Callable[[], int], viewers: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while there() < viewers:  # noqa: ASYNC110  (they come over sockets)
            await asyncio.sleep(0.05)


async def _paced(send: Callable[[str], Awaitable[None]], rate: int, seconds: int) -> None:
    """So many a second, each with the time at which it was sent; late ones are not left out."""
    begun = perf_counter()
    for number in range(rate * seconds):
        wait = begun + number / rate - perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        await send(f"{time():.6f} {WORDS}")


def _report(cpu: float) -> None:
    print(json.dumps({"cpu": cpu, "rss": most()}), flush=True)


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    kind, place, *numbers = sys.argv[1:]
    asyncio.run({"ours": ours, "bare": bare}[kind](Path(place), *map(int, numbers)))
