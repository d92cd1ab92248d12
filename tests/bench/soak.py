"""Ten minutes of everything at once, with SOAK=1: 256 episodes, 100 viewers, readers at old cursors,
checkpoints; how long an append and the loop were held up, and memory at the start and end.

    python soak.py LOG URL SECONDS EPISODES VIEWERS

plays it in a process of its own, and prints what it saw as JSON.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import cycle
from pathlib import Path
from random import Random
from time import perf_counter

import msgspec
from aiohttp import web
from episodes import stub
from figure import Figure, Missing, Reach, percentile
from memory import now
from msgspec import Struct
from peer import PATIENCE, run
from session import Session
from story import lines, opening
from watchers import Saw

from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.server.access import Access
from whoknew.engine.server.app import Server
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.errors import LogError
from whoknew.worlds.setting import Character, Scenario, Setting

PEOPLE = ("Ada", "Ben")

CAST = 1 + len(PEOPLE)
"""The seq at which all of them are in their world."""


ENOUGH = "enough"


class Stalls(Struct):
    """The waits after the first tenth, in seconds; of the loop, only the longest."""

    loop: float = 0.0
    appends: list[float] = []
    views: list[float] = []
    failed_views: int = 0
    turns: int = 0
    memory: list[float] = []
    """In MB, after each tenth."""
    saw: Saw = msgspec.field(default_factory=Saw)


def figures(session: Session) -> Iterator[Figure]:
    if not session.quick and not os.environ.get("SOAK"):
        raise Missing("takes ten minutes: SOAK=1 runs it")
    seconds = session.size(600, 3)
    episodes, viewers = session.size(256, 8), session.size(100, 4)
    with stub(300) as url:
        log = session.file("soak.db")
        command = [sys.executable, __file__, log, f"{url}#stub", seconds, episodes, viewers]
        stalls = msgspec.json.decode(run(command, patience=seconds + PATIENCE), type=Stalls)
    yield from _waits(f"{episodes} episodes, {viewers} viewers, after {seconds / 10:g} s", stalls)
    what = f"{seconds} s of {episodes} episodes, {viewers} viewers"
    for name, count in (
        ("views that failed", stalls.failed_views),
        ("viewers' reconnects", stalls.saw.reconnects),
        ("viewers to whom nothing came", stalls.saw.events.count(0)),
    ):
        yield Figure(f"{what}: {name}", "", [float(count)], reach=Reach(0, "most"))
    yield Figure(
        f"{what}: memory at the end",
        "MB",
        stalls.memory[-1:],
        stalls.memory[:1],
        "MB a tenth of the way in",
        notes={"after each tenth": " ".join(f"{one:.0f}" for one in stalls.memory)},
    )


def _waits(what: str, stalls: Stalls) -> Iterator[Figure]:
    """In ms."""
    held_up = Reach(250, "most")
    appends, views = ([1000 * wait for wait in waits] for waits in (stalls.appends, stalls.views))
    notes = {"turns": f"{stalls.turns:,}", "events seen": f"{sum(stalls.saw.events):,}"}
    yield Figure(f"{what}: the longest append", "ms", [max(appends)], reach=held_up, notes=notes)
    yield Figure(f"{what}: p99 of {len(appends):,} appends", "ms", [percentile(appends, 0.99)])
    yield Figure(
        f"{what}: the longest the loop was held up", "ms", [1000 * stalls.loop], reach=held_up
    )
    yield Figure(f"{what}: the longest view at an old cursor", "ms", [max(views)])


async def soaked(path: str, model: str, seconds: int, episodes: int, viewers: int) -> Stalls:
    """Whatever goes wrong beside them ends it all."""
    stalls, program = Stalls(), _program(episodes, model)
    async with (
        open_log(path) as log,
        _served(log) as port,
        ModelPool(program.chains) as wiring,
        asyncio.TaskGroup() as group,
    ):
        played = Run(program, log, wiring, Progress())
        await played.survey()
        playing = group.create_task(played.play())
        while len(await log.worlds()) < episodes:  # noqa: ASYNC110  (the run tells of no world)
            await asyncio.sleep(0.05)
        works = (_looping(stalls), _reading(log, episodes, stalls), _appending(log, stalls))
        beside = [group.create_task(work) for work in works]
        async with _watched(port, episodes, viewers) as watchers:
            await _passing(seconds, stalls)
            played.control.stop(ENOUGH)
            report = await playing
            assert {one.reason for one in report.chains} == {ENOUGH}, report
            for task in beside:
                task.cancel()
            said, _ = await watchers.communicate(b"")  # which closes its stdin
            assert watchers.returncode == 0, "the viewers ended with an error"
    stalls.saw, stalls.turns = msgspec.json.decode(said, type=Saw), played.progress.tally.turns
    return stalls


@asynccontextmanager
async def _served(log: Log) -> AsyncIterator[int]:
    """A server of the log, and its port."""
    runner = web.AppRunner(Server(log, Access("127.0.0.1", 0), writable=True).app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def _watched(port: int, worlds: int, viewers: int) -> AsyncIterator[Process]:
    """The viewers: what they read is not decoded on the loop that is measured."""
    command = (sys.executable, Path(__file__).with_name("watchers.py"), port, worlds, viewers)
    process = await asyncio.create_subprocess_exec(*map(str, command), stdin=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()


async def _passing(seconds: int, stalls: Stalls) -> None:
    for tenth in range(10):
        await asyncio.sleep(seconds / 10)
        stalls.memory.append(now())
        if tenth == 0:  # the beginning is another thing
            stalls.loop = 0.0
            stalls.appends.clear()
            stalls.views.clear()


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
        stalls.appends.append(perf_counter() - begun)


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
        world = f"soak-{random.randrange(episodes)}"
        try:
            head = (await log.lineage.find(world)).head
            begun = perf_counter()
            view = await log.view(world, random.choice(PEOPLE), f"#{random.randint(CAST, head)}")
            await view.last(50)
        except LogError:
            stalls.failed_views += 1
        else:
            stalls.views.append(perf_counter() - begun)


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    path, model, *numbers = sys.argv[1:]
    try:
        stalls = asyncio.run(soaked(path, model, *map(int, numbers)))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    print(msgspec.json.encode(stalls).decode())
