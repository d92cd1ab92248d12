"""Chains that several processes share, on one log on PostgreSQL: beside one process, and beside a file."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import monotonic

import msgspec
from episodes import TURNS, Took, stub
from figure import Figure, Missing, Reach
from model_servers import by_digest, serving
from peer import run
from postgres_server import Cluster, NoPostgres
from session import Session, require
from shared_runs import Sharers

CHAINER = Path(__file__).parent / "chainer.py"

WORKERS = 4

HEARTBEAT = 2.0


def figures(session: Session) -> Iterator[Figure]:
    require("asyncpg", "postgres")
    try:
        cluster = Cluster(fsync=True)
    except NoPostgres as missing:
        raise Missing(str(missing)) from None
    with cluster:
        yield _overhead(session, cluster)
        yield from _many(session, cluster)
        yield _takeover(session, cluster)


def _overhead(session: Session, cluster: Cluster) -> Figure:
    """What leases, calls that are noted before they are made, and the database take of one process."""
    chains, at_once = session.size(128, 8), session.size(64, 4)
    with stub(0) as url:
        pairs = session.interleaved(
            lambda: _shared(cluster, f"{url}#stub", chains, at_once)[0],
            lambda: _played(f"{url}#stub", chains, at_once),
        )
    ours, alone = ([_cpu([one[place]], chains) for one in pairs] for place in (0, 1))
    return Figure(
        f"CPU of a turn, one process of {at_once} episodes on a shared log, beside a file",
        "x",
        [one / other for one, other in zip(ours, alone, strict=True)],
        reach=Reach(1.1, "most"),
        notes={"of a turn": f"{median(ours):.2f} ms, into a file {median(alone):.2f} ms"},
    )


def _many(session: Session, cluster: Cluster) -> Iterator[Figure]:
    """So many episodes in each of four processes, beside one process with as many."""
    for latency, count in ((2000, 500), (500, 100)):
        slow, each = session.size(latency, 10), session.size(count, 4)
        with stub(slow) as url:
            runs = session.in_turn(
                lambda url=url, n=each: _shared(cluster, f"{url}#stub", n * WORKERS, n, WORKERS),
                lambda url=url, n=each: _shared(cluster, f"{url}#stub", n, n),
                runs=1 if latency == 2000 else 3,
            )
        many = [(WORKERS * each * TURNS / max(one.wall for one in some), some) for some in runs[0]]
        alone = [(each * TURNS / some[0].wall, some) for some in runs[1]]
        yield Figure(
            f"{WORKERS} processes of {each} episodes in flight, a model of {slow} ms",
            "turns/s",
            [rate for rate, _ in many],
            [rate for rate, _ in alone],
            f"turns/s of one process of {each}",
            Reach(3.5, "times"),
            notes={
                "CPU of a turn": f"{_cpu(many[0][1], WORKERS * each):.2f} ms, of one process "
                f"{_cpu(alone[0][1], each):.2f} ms, on {os.cpu_count()} processors"
            },
        )


def _takeover(session: Session, cluster: Cluster) -> Figure:
    """From the death of a process until another holds its chains."""
    return Figure(
        "chains of a dead process taken over",
        "heartbeats",
        session.repeated(lambda: asyncio.run(_taken_over(cluster))),
        reach=Reach(2, "most"),
        notes={"heartbeat": f"{HEARTBEAT:g} s here, 10 s as it is"},
    )


async def _taken_over(cluster: Cluster) -> float:
    with cluster.database() as url:
        async with serving("openai", after=by_digest) as server:
            server.going.clear()
            sharers = Sharers(url, server, 2, heartbeat=HEARTBEAT)
            async with sharers.one() as dying:
                await server.until_asked(2, by=dying)
                async with sharers.one() as other:
                    dying.kill()
                    begun = monotonic()
                    await server.until_asked(4, by=other)
                    return (monotonic() - begun) / HEARTBEAT


def _shared(
    cluster: Cluster, model: str, chains: int, at_once: int, workers: int = 1
) -> list[Took]:
    with cluster.database() as log, ThreadPoolExecutor(workers) as pool:
        ways = [pool.submit(_played, model, chains, at_once, log) for _ in range(workers)]
        return [way.result() for way in ways]


def _played(model: str, chains: int, at_once: int, *log: str) -> Took:
    command = [sys.executable, CHAINER, model, "none", chains, at_once, 1, TURNS, *log]
    told = run(command, {**os.environ, "OPENAI_API_KEY": "none"})
    return msgspec.json.decode(told.strip().splitlines()[-1], type=Took)


def _cpu(some: list[Took], chains: int) -> float:
    """Of a turn, in ms, all processes together."""
    return 1e3 * sum(one.cpu for one in some) / chains / TURNS
