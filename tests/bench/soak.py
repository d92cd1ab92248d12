"""Ten minutes of everything at once, with SOAK=1: 256 episodes, 100 viewers, readers at old cursors,
checkpoints; the longest that an append and the loop were held up, and memory at the start and end.

    python soak.py LOG URL SECONDS EPISODES VIEWERS

plays it in a process of its own, and prints what it saw as JSON.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import cycle
from random import Random
from time import perf_counter

import msgspec
from aiohttp import ClientSession, TCPConnector, web
from episodes import stub
from figure import Figure, Missing
from memory import now
from msgspec import Struct
from peer import run
from session import Session
from story import lines, opening

from whoknew.engine.garbage import collect_seldom
from whoknew.engine.program import Chain, Program
from whoknew.engine.progress import Progress
from whoknew.engine.run import Run
from whoknew.engine.server.access import Access
from whoknew.engine.server.app import Server
from whoknew.engine.wiring import Wiring
from whoknew.eventlog import Log, open_log
from whoknew.worlds.plan import Episodes, Plan, Seat
from whoknew.worlds.setting import Character, Scenario, Setting

PEOPLE = ("Ada", "Ben")


class Stalls(Struct):
    """The longest waits so far, in seconds, and memory in MB."""

    loop: float = 0.0
    append: float = 0.0
    view: float = 0.0
    turns: int = 0
    delivered: int = 0
    memory: list[float] = []
    """After each tenth."""


def figures(session: Session) -> Iterator[Figure]:
    if not session.quick and not os.environ.get("SOAK"):
        raise Missing("takes ten minutes: SOAK=1 runs it")
    seconds = session.size(600, 3)
    episodes, viewers = session.size(256, 8), session.size(100, 4)
    with stub(300) as url:
        log = session.file("soak.db")
        command = [sys.executable, __file__, log, f"{url}#stub", seconds, episodes, viewers]
        stalls = msgspec.json.decode(run(command, patience=2 * seconds + 60), type=Stalls)
    what = f"{seconds} s of {episodes} episodes and {viewers} viewers"
    notes = {"turns": f"{stalls.turns:,}", "delivered": f"{stalls.delivered:,}"}
    yield Figure(f"{what}: the longest append", "ms", [1000 * stalls.append], notes=notes)
    yield Figure(f"{what}: the longest the loop was held up", "ms", [1000 * stalls.loop])
    yield Figure(f"{what}: the longest view at an old cursor", "ms", [1000 * stalls.view])
    yield Figure(
        f"{what}: memory at the end",
        "MB",
        stalls.memory[-1:],
        stalls.memory[:1],
        "MB a tenth of the way in",
        notes={"after each tenth": " ".join(f"{one:.0f}" for one in stalls.memory)},
    )


async def soaked(path: str, model: str, seconds: int, episodes: int, viewers: int) -> Stalls:
    stalls = Stalls()
    async with open_log(path) as log:
        runner = web.AppRunner(Server(log, Access("127.0.0.1", 0), writable=True).app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        program = _program(episodes, model)
        async with (
            Wiring(program.chains) as wiring,
            ClientSession(connector=TCPConnector(limit=0)) as client,
        ):
            played = Run(program, log, wiring, Progress())
            await played.survey()
            playing = asyncio.create_task(played.play())
            beside = [_looping(stalls), _reading(log, episodes, stalls), _appending(log, stalls)]
            beside += [_watching(client, port, n % episodes, stalls) for n in range(viewers)]
            tasks = [asyncio.create_task(work) for work in beside]
            for tenth in range(10):
                await asyncio.sleep(seconds / 10)
                stalls.memory.append(now())
                if tenth == 0:  # the beginning is another thing
                    stalls.loop = stalls.append = stalls.view = 0.0
            played.control.stop("enough")
            await playing
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        stalls.turns = played.progress.turns
        await runner.cleanup()
    return stalls


def _program(episodes: int, model: str) -> Program:
    """Chains that go on for longer than the soak."""
    days = tuple(Scenario(f"day {n}", "A hall.", PEOPLE) for n in range(10))
    setting = Setting("soak", "Soak", datetime(2000, 1, 1), tuple(map(Character, PEOPLE)), days)
    agents = {"everyone": Seat(model=model, memory="recall")}
    plan = Plan("soak", episodes=Episodes(repeat=100), agents=agents)
    chains = [Chain(f"soak-{n}", plan, setting) for n in range(episodes)]
    return Program(chains, "", episodes)


async def _appending(log: Log, stalls: Stalls) -> None:
    """A world beside them, appended to all the time: how long does one wait?"""
    await log.append("beside", opening())
    for turn, line in enumerate(cycle(lines(1000)), start=1):
        await asyncio.sleep(0.05)
        begun = perf_counter()
        await log.append("beside", [line.draft(turn)])
        stalls.append = max(stalls.append, perf_counter() - begun)


async def _watching(client: ClientSession, port: int, number: int, stalls: Stalls) -> None:
    url = f"http://127.0.0.1:{port}/worlds/soak-{number}/stream"
    while True:
        with suppress(Exception):
            async with client.ws_connect(url, max_msg_size=0) as socket:
                async for message in socket:
                    stalls.delivered += message.data.count('"seq"')
        await asyncio.sleep(0.2)


async def _looping(stalls: Stalls) -> None:
    while True:
        begun = perf_counter()
        await asyncio.sleep(0.01)
        stalls.loop = max(stalls.loop, perf_counter() - begun - 0.01)


async def _reading(log: Log, episodes: int, stalls: Stalls) -> None:
    """Somebody who opens old cursors all the time."""
    random = Random(9)
    while True:
        await asyncio.sleep(0.1)
        with suppress(Exception):
            world = f"soak-{random.randrange(episodes)}"
            head = (await log.past.find(world)).head
            begun = perf_counter()
            view = await log.view(world, random.choice(PEOPLE), f"#{random.randint(1, head)}")
            await view.last(50)
            stalls.view = max(stalls.view, perf_counter() - begun)


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    path, model, *numbers = sys.argv[1:]
    print(msgspec.json.encode(asyncio.run(soaked(path, model, *map(int, numbers)))).decode())
