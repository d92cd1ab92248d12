"""Chains that several processes share, on one log on PostgreSQL: beside one process, and beside a file."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import TypeVar

import msgspec
from episodes import TURNS, Took, asked, stub
from figure import Figure, Missing, Reach
from model_servers import by_digest, serving
from peer import run
from postgres_server import Cluster, NoPostgres
from server import started
from session import Session, require
from shared_runs import Sharers

CHAINER = Path(__file__).parent / "chainer.py"

T = TypeVar("T")

WORKERS = 4

REQUESTS = 600
"""A minute."""


def figures(session: Session) -> Iterator[Figure]:
    require("asyncpg", "postgres")
    try:
        cluster = Cluster(fsync=True)
    except NoPostgres as missing:
        raise Missing(str(missing)) from None
    with cluster:
        yield from _overhead(session, cluster)
        for latency, count in ((2000, 500), (500, 100))[: session.size(2, 1)]:
            yield from _many(session, cluster, latency, count)
        yield _rate(session, cluster)
        yield _takeover(session, cluster)


def _overhead(session: Session, cluster: Cluster) -> Iterator[Figure]:
    """What leases, and calls that are noted before they are made, take of one process: beside the same log
    that it writes alone, and beside a file."""
    chains, at_once = session.size(128, 8), session.size(64, 4)
    with stub(0) as url:
        shared, alone, file = session.in_turn(
            lambda: _shared(cluster, f"{url}#stub", chains, at_once),
            lambda: _shared(cluster, f"{url}#stub", chains, at_once, how="alone"),
            lambda: [_played(f"{url}#stub", chains, at_once)],
        )
    ours, limit, other = ([_cpu(one, chains) for one in some] for some in (shared, alone, file))
    yield Figure(
        f"CPU of a turn, one process of {at_once} episodes on a shared log, beside the same log written alone",
        "x",
        [one / two for one, two in zip(ours, limit, strict=True)],
        reach=Reach(1.1, "most"),
        notes={
            "of a turn": f"{median(ours):.2f} ms, alone {median(limit):.2f} ms, into a file "
            f"{median(other):.2f} ms"
        },
    )
    slow, count = session.size(500, 5), session.size(200, 4)
    with stub(slow) as url:
        pairs = session.in_turn(
            lambda: _shared(cluster, f"{url}#stub", count, count),
            lambda: _shared(cluster, f"{url}#stub", count, count, how="alone"),
            runs=3,
        )
    ours, limit = ([count * TURNS / took.wall for (took,) in some] for some in pairs)
    yield Figure(
        f"one process of {count} episodes on a shared log, a model of {slow} ms",
        "turns/s",
        ours,
        limit,
        "turns/s on the same log, written alone",
        Reach(0.9, "share"),
    )


def _many(session: Session, cluster: Cluster, latency: int, count: int) -> Iterator[Figure]:
    """So many episodes in each of four processes, beside one process with as many: from the begin of the first
    to the end of the last, which all take in; and while all are in flight."""
    slow, each = session.size(latency, 10), session.size(count, 4)
    machine = _Machine()
    with stub(slow) as url:
        runs = session.in_turn(
            lambda: machine.during(
                lambda: _shared(cluster, f"{url}#stub", each * WORKERS, each, WORKERS)
            ),
            lambda: _shared(cluster, f"{url}#stub", each, each),
            runs=1 if latency == 2000 else 3,
        )
    many = [WORKERS * each * TURNS / max(one.wall for one in some) for some in runs[0]]
    alone = [each * TURNS / some[0].wall for some in runs[1]]
    what = f"{WORKERS} processes of {each} episodes in flight, a model of {slow} ms"
    yield Figure(
        what,
        "turns/s",
        many,
        alone,
        f"turns/s of one process of {each}",
        Reach(3.5, "times"),
        notes={
            "CPU of a turn": f"{_cpu(runs[0][0], WORKERS * each):.2f} ms, of one process "
            f"{_cpu(runs[1][0], each):.2f} ms",
            "with the model and the database": f"{machine.took[0] / each / WORKERS / TURNS:.2f} ms, "
            f"on {os.cpu_count()} processors",
        },
    )
    if not session.quick:
        yield Figure(
            f"{what}: while all of them are",
            "turns/s",
            [_in_flight(some) for some in runs[0]],
            [_in_flight(some) for some in runs[1]],
            f"turns/s of one process of {each}",
            Reach(3.5, "times"),
        )


def _in_flight(some: list[Took]) -> float:
    """Turns a second from when all episodes had their first until the first was over."""
    begin = int(max(one.in_flight for one in some)) + 1
    end = int(min(one.ending for one in some))
    acts = sum(count for one in some for second, count in one.acts.items() if begin <= second < end)
    return acts / (end - begin)


class _Machine:
    """What the processors of this machine were busy with, in ms: of Linux, where nothing else is going on."""

    def __init__(self) -> None:
        self.took: list[float] = []

    def during(self, work: Callable[[], T]) -> T:
        before = self._busy()
        done = work()
        self.took.append(self._busy() - before)
        return done

    @staticmethod
    def _busy() -> float:
        user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
        return 1e3 * (user + nice + system) / os.sysconf("SC_CLK_TCK")


def _rate(session: Session, cluster: Cluster) -> Figure:
    """How many requests a model gets in a minute of four processes that may make so many together: from when
    the first were made on, for a minute."""
    seconds, each = session.size(60, 1), 50
    with stub(200) as url, cluster.database() as log, ExitStack() as stack:
        numbers = [WORKERS * each, each, 1, TURNS]
        for _ in range(WORKERS):
            command = [sys.executable, CHAINER, f"{url}#stub", "none", *numbers, log, REQUESTS]
            stack.enter_context(started(*command))
        while asked(url) < REQUESTS / 60:
            sleep(0.1)
        begun, before = monotonic(), asked(url)
        sleep(seconds)
        made, took = asked(url) - before, monotonic() - begun
    return Figure(
        f"how far {WORKERS} processes are from the {REQUESTS} requests a minute that they may make together",
        "share",
        [abs(made * 60 / took / REQUESTS - 1)],
        reach=Reach(0.05, "most"),
        notes={"made": f"{made} in {took:.1f} s"},
    )


def _takeover(session: Session, cluster: Cluster) -> Figure:
    """From the death of a process until another holds its chains."""
    heartbeat = 0.4 if session.quick else 2.0
    return Figure(
        "chains of a dead process taken over",
        "heartbeats",
        session.repeated(lambda: asyncio.run(_taken_over(cluster, heartbeat))),
        reach=Reach(2, "most"),
        notes={"heartbeat": f"{heartbeat:g} s here, 10 s as it is"},
    )


async def _taken_over(cluster: Cluster, heartbeat: float) -> float:
    with cluster.database() as url:
        async with serving("openai", after=by_digest) as server:
            server.going.clear()
            sharers = Sharers(url, server, 2, heartbeat=heartbeat)
            async with sharers.one() as dying:
                await server.until_asked(2, by=dying)
                async with sharers.one() as other:
                    dying.kill()
                    begun = monotonic()
                    await server.until_asked(4, by=other)
                    return (monotonic() - begun) / heartbeat


def _shared(
    cluster: Cluster, model: str, chains: int, at_once: int, workers: int = 1, how: str = ""
) -> list[Took]:
    with cluster.database() as log, ThreadPoolExecutor(workers) as pool:
        ways = [pool.submit(_played, model, chains, at_once, log, how) for _ in range(workers)]
        return [way.result() for way in ways]


def _played(model: str, chains: int, at_once: int, *log: str) -> Took:
    command = [sys.executable, CHAINER, model, "none", chains, at_once, 1, TURNS, *log]
    told = run(command, {**os.environ, "OPENAI_API_KEY": "none"})
    return msgspec.json.decode(told.strip().splitlines()[-1], type=Took)


def _cpu(some: list[Took], chains: int) -> float:
    """Of a turn, in ms, all processes together."""
    return 1e3 * sum(one.cpu for one in some) / chains / TURNS
