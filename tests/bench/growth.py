"""How it grows: each figure at 1,000 to 1,000,000 events (10,000,000 with BIG=1), and the exponent
of the power that fits: 1 is in proportion, 0 is not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from math import log
from pathlib import Path
from statistics import median
from time import perf_counter, perf_counter_ns
from urllib.request import urlopen

from episodes import ours, stub
from figure import EXPONENT, Figure, Reach
from msgspec import Struct
from session import Session
from story import lines, opening

from whoknew.eventlog import open_log

HERE = Path(__file__).parent
COMMAND = (sys.executable, "-m", "whoknew.cli")
WORLD, WHO = "long", "character00"
BATCH = 1_000
FLAT, LINEAR = 0.3, 1.1


class Measure(Struct, frozen=True):
    """What is measured of a log of so many events, and how steep it may grow."""

    name: str
    unit: str
    of: Callable[[Path, int], float]
    most: float


def figures(session: Session) -> Iterator[Figure]:
    big = bool(os.environ.get("BIG"))
    sizes = [10**power for power in range(3, 5 if session.quick else 8 if big else 7)]
    runs = 1 if session.quick or big else 3
    yield from _of_logs(session, sizes, runs)
    yield from _of_chains(session, runs)


def _of_logs(session: Session, sizes: Sequence[int], runs: int) -> Iterator[Figure]:
    """Every measure of every size, run by run: one value a size."""
    found: dict[Measure, list[list[float]]] = {one: [] for one in MEASURES}
    for _ in range(runs):
        for measured in found.values():
            measured.append([])
        for size in sizes:
            file = session.file(f"grown-{size}.db")
            for one, measured in found.items():
                measured[-1].append(one.of(file, size))
            session.file(file.name)  # taken away again
    for one, measured in found.items():
        yield grown(one.name, one.unit, sizes, measured, one.most)


def _of_chains(session: Session, runs: int) -> Iterator[Figure]:
    """Chains of more and more episodes, and more and more episodes in flight."""
    lengths = [1, 2] if session.quick else [1, 5, 20, 50, 100, 200]
    with stub(0) as url:
        spent = [[ours(f"{url}#stub", 4, episodes=n).cpu for n in lengths] for _ in range(runs)]
    yield grown("CPU of chains of so many episodes", "s", lengths, spent, LINEAR)
    flights = [1, 4] if session.quick else [1, 10, 100, 1000, 4000]
    with stub(500) as url:
        flown = [[ours(f"{url}#stub", count) for count in flights] for _ in range(runs)]
    yield grown(
        "CPU of 20 turns of so many in flight",
        "s",
        flights,
        [[one.cpu for one in some] for some in flown],
        LINEAR,
    )
    yield grown(
        "wall of 20 turns of 500 ms with so many in flight",
        "s",
        flights,
        [[one.wall for one in some] for some in flown],
        FLAT,
    )


def grown(
    name: str, unit: str, sizes: Sequence[int], runs: Sequence[Sequence[float]], most: float
) -> Figure:
    """The exponent of each run; how it grows from the largest size but one to the largest is told
    beside, where what is the same for every size no longer flattens it."""
    middles = [median(values) for values in zip(*runs, strict=True)]
    notes = {f"{size:,}": f"{value:.3g} {unit}" for size, value in zip(sizes, middles, strict=True)}
    notes["exponent at the large end"] = f"{exponent(sizes[-2:], middles[-2:]):.2f}"
    return Figure(
        f"growth: {name}",
        EXPONENT,
        [exponent(sizes, values) for values in runs],
        reach=Reach(most, "most"),
        notes=notes,
        curve=list(zip(map(float, sizes), middles, strict=True)),
    )


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The slope of the line that fits best where both are taken as logarithms."""
    xs, ys = [log(size) for size in sizes], [log(max(value, 1e-9)) for value in values]
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    tilt = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    return tilt / spread if spread else 0.0


def _appended(file: Path, size: int) -> float:
    """Fills the file, which the other measures then read."""

    async def filled() -> float:
        took = 0.0
        async with open_log(file) as log:
            await log.append(WORLD, opening())
            for start in range(0, size, BATCH):
                drafts = [line.draft(start) for line in lines(BATCH)]
                begun = perf_counter()
                await log.append(WORLD, drafts)
                took += perf_counter() - begun
        return took

    return asyncio.run(filled())


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
        [sys.executable, str(HERE / "keeper.py"), str(file)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


MEASURES = (
    Measure("appending all of it, 1,000 at once", "s", _appended, LINEAR),
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
