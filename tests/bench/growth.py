"""How it grows: each figure at 1,000 to 1,000,000 events (10,000,000 with BIG=1), and the exponent
of the power that fits: 1 is in proportion, 0 is not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from statistics import median
from time import perf_counter, perf_counter_ns
from urllib.request import urlopen

from episodes import ours, stub
from figure import Figure, Reach
from msgspec import Struct
from session import Session
from story import lines, opening

from whoknew.eventlog import open_log

COMMAND = (sys.executable, "-m", "whoknew.cli")
WORLD, WHO = "long", "character00"
BATCH = 1_000
FLAT, LINEAR = 0.3, 1.1

KEEPER = """
import asyncio, resource, sys
from whoknew.eventlog import open_log
async def main():
    async with open_log(sys.argv[1]) as log:
        view = await log.view("long", "character00")
        await view.recall("king letter oak")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
asyncio.run(main())
"""


class Measure(Struct, frozen=True):
    """What is measured of a log of so many events, and how steep it may grow."""

    name: str
    unit: str
    of: Callable[[Path, int], float]
    most: float


def figures(session: Session) -> Iterator[Figure]:
    most = 7 if os.environ.get("BIG") else 6
    sizes = [10**power for power in range(3, 5 if session.quick else most + 1)]
    yield from _of_logs(session, sizes)
    yield from _of_chains(session)


def _of_logs(session: Session, sizes: Sequence[int]) -> Iterator[Figure]:
    found: dict[str, list[float]] = {}
    appended: list[float] = []
    for size in sizes:
        file = session.file(f"grown-{size}.db")
        appended.append(asyncio.run(_filled(file, size)))
        for one in MEASURES:
            runs = [one.of(file, size) for _ in range(1 if session.quick else 3)]
            found.setdefault(one.name, []).append(median(runs))
        for suffix in ("", "-wal", "-shm", ".lock"):
            Path(f"{file}{suffix}").unlink(missing_ok=True)
    yield grown("appending all of it", "s", sizes, appended, LINEAR)
    for one in MEASURES:
        yield grown(one.name, one.unit, sizes, found[one.name], one.most)


def _of_chains(session: Session) -> Iterator[Figure]:
    """Chains of more and more episodes, and more and more episodes in flight."""
    lengths = [1, 2] if session.quick else [1, 5, 20, 50, 100, 200]
    with stub(0) as url:
        took = [ours(f"{url}#stub", 4, episodes=count).cpu / (4 * count) for count in lengths]
    yield grown("CPU of an episode of a chain of so many", "s", lengths[1:], took[1:], FLAT)
    flights = [1, 4] if session.quick else [1, 10, 100, 1000, 4000]
    with stub(500) as url:
        walls = [ours(f"{url}#stub", count) for count in flights]
    per_turn = [one.cpu / one.turns for one in walls]
    yield grown("CPU of a turn with so many episodes in flight", "s", flights, per_turn, FLAT)
    yield grown(
        "wall of 20 turns of 500 ms with so many in flight",
        "s",
        flights,
        [one.wall for one in walls],
        FLAT,
    )


def grown(
    name: str, unit: str, sizes: Sequence[int], values: Sequence[float], most: float
) -> Figure:
    notes = {f"{size:,}": f"{value:.3g} {unit}" for size, value in zip(sizes, values, strict=True)}
    return Figure(
        f"growth: {name}",
        "exponent",
        [exponent(sizes, values)],
        reach=Reach(most, "most"),
        notes=notes,
        curve=list(zip(map(float, sizes), values, strict=True)),
    )


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The slope of the line that fits best where both are taken as logarithms."""
    xs, ys = [log(size) for size in sizes], [log(max(value, 1e-9)) for value in values]
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    tilt = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    return tilt / spread if spread else 0.0


async def _filled(file: Path, size: int) -> float:
    drafts = [*opening(), *(line.draft(turn) for turn, line in enumerate(lines(size), start=1))]
    begun = perf_counter()
    async with open_log(file) as log:
        for start, end in pairwise([*range(0, len(drafts), BATCH), len(drafts)]):
            await log.append(WORLD, drafts[start:end])
    return perf_counter() - begun


def _view(file: Path, size: int) -> float:
    async def looked() -> float:
        async with open_log(file, read_only=True) as log:
            await log.view(WORLD, WHO, f"#{size // 2}")
            begun = perf_counter()
            view = await log.view(WORLD, WHO, f"#{size // 3}")
            await view.events(max(0, len(view) - 200))
            return perf_counter() - begun

    return asyncio.run(looked())


def _first_view(file: Path, size: int) -> float:
    async def looked() -> float:
        async with open_log(file, read_only=True) as log:
            begun = perf_counter()
            view = await log.view(WORLD, WHO, f"#{size // 2}")
            await view.events(max(0, len(view) - 200))
            return perf_counter() - begun

    return asyncio.run(looked())


def _recall(file: Path, size: int) -> float:
    async def searched() -> float:
        async with open_log(file, read_only=True) as log:
            view = await log.view(WORLD, WHO)
            await view.recall("letter oak river")
            earlier = await log.view(WORLD, WHO, f"#{size // 2}")
            begun = perf_counter()
            await earlier.recall("king rides gate", 10)
            return perf_counter() - begun

    return asyncio.run(searched())


def _command(*words: str) -> Callable[[Path, int], float]:
    def run(file: Path, size: int) -> float:
        filled = [word.format(middle=size // 2, before=max(1, size // 2 - 200)) for word in words]
        begun = perf_counter()
        done = subprocess.run(
            [*COMMAND, *filled, "--log", str(file)], check=False, capture_output=True
        )
        if done.returncode:
            raise RuntimeError(f"{filled}: {done.stderr.decode()}")
        return perf_counter() - begun

    return run


def _fork(file: Path, size: int) -> float:
    name = f"fork-{perf_counter_ns()}"
    return _command("fork", WORLD, "--at", "#{middle}", "--name", name)(file, size)


def _serve(file: Path, size: int) -> float:
    begun = perf_counter()
    command = [*COMMAND, "serve", "--log", str(file), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        with urlopen(f"{url}/api/worlds/{WORLD}/events?from=%23{size // 2}&limit=50") as answer:
            answer.read()
        took = perf_counter() - begun
        server.send_signal(signal.SIGTERM)
    return took


def _memory(file: Path, size: int) -> float:
    done = subprocess.run(
        [sys.executable, "-c", KEEPER, str(file)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


MEASURES = (
    Measure("a view, 200 events, first touch of its world", "s", _first_view, LINEAR),
    Measure("a view again, 200 events at an earlier cursor", "s", _view, FLAT),
    Measure("recall at an earlier cursor, its index there", "s", _recall, LINEAR),
    Measure(
        "replay of 200 events in the middle, whole process",
        "s",
        _command("replay", WORLD, "--from", "#{before}", "--at", "#{middle}"),
        LINEAR,
    ),
    Measure("fork in the middle, whole process", "s", _fork, LINEAR),
    Measure("server from its start to its first answer", "s", _serve, LINEAR),
    Measure("memory of a process that searched it", "MB", _memory, LINEAR),
)
