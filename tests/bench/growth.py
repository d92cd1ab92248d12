"""How it grows: each figure at 1,000 to 1,000,000 events (10,000,000 with BIG=1), chains of 1 to 200
episodes, 1 to 4,000 in flight; and the exponents: 1 is in proportion, 0 is not at all."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, perf_counter_ns
from urllib.request import urlopen

from episodes import ours, stub
from figure import EXPONENT, Figure, Reach
from msgspec import Struct
from peer import run
from power import fit
from server import serving
from session import Session
from story import lines, opening

from whoknew.eventlog import Log, open_log

HERE = Path(__file__).parent
COMMAND = (sys.executable, "-m", "whoknew.cli")
WORLD, WHO = "long", "character00"
BATCH = 1_000
CHAINS = 4
LOOKS = 50
FLAT, LINEAR = 0.3, 1.1


class Measure(Struct, frozen=True):
    """What is measured of a log of so many events, and how steep it may grow."""

    name: str
    unit: str
    of: Callable[[Path, int], float]
    most: float


def figures(session: Session) -> Iterator[Figure]:
    sizes = [10**power for power in range(3, 5 if session.quick else 8 if session.big else 7)]
    runs = 1 if session.quick or session.big else 3
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
        spent = [
            [ours(f"{url}#stub", CHAINS, episodes=n, memory="summary").cpu for n in lengths]
            for _ in range(runs)
        ]
    yield grown(f"CPU of {CHAINS} chains of so many episodes", "s", lengths, spent, LINEAR)
    flights = [1, 4] if session.quick else [1, 10, 100, 1000, 4000]
    with stub(session.size(500, 5)) as url:
        flown = [[ours(f"{url}#stub", count) for count in flights] for _ in range(runs)]
    cpu = [[one.cpu for one in some] for some in flown]
    yield grown("CPU of 20 turns of so many in flight", "s", flights, cpu, LINEAR)
    beside = [[one.wall / max(10, one.cpu) for one in some] for some in flown]
    name = "wall of 20 turns of 500 ms, beside 10 s or its CPU"
    yield grown(name, "x", flights, beside, FLAT)


def grown(
    name: str, unit: str, sizes: Sequence[int], runs: Sequence[Sequence[float]], most: float
) -> Figure:
    """Judged by how it grows from the largest size but one to the largest, run by run: over all
    sizes, what is the same for each, as the start of Python, makes it look flatter than it is."""
    middles = [median(values) for values in zip(*runs, strict=True)]
    notes = {f"{size:,}": f"{value:.3g} {unit}" for size, value in zip(sizes, middles, strict=True)}
    notes["over all sizes"] = f"{fit(sizes, middles).exponent:.2f}"
    return Figure(
        f"growth: {name}",
        EXPONENT,
        [fit(sizes[-2:], values[-2:]).exponent for values in runs],
        reach=Reach(most, "most"),
        notes=notes,
        curve=list(zip(map(float, sizes), middles, strict=True)),
    )


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
    async def look(log: Log, cursor: str) -> None:
        view = await log.view(WORLD, WHO, cursor)
        await view.events(max(0, len(view) - 200))

    return asyncio.run(_again(file, size, look))


def _recall(file: Path, size: int) -> float:
    async def look(log: Log, cursor: str) -> None:
        await (await log.view(WORLD, WHO, cursor)).recall("king rides gate", 10)

    return asyncio.run(_again(file, size, look))


async def _again(file: Path, size: int, look: Callable[[Log, str], Awaitable[None]]) -> float:
    """The median of many looks at earlier cursors, once the world has been read and indexed."""
    random, took = Random(5), []
    async with open_log(file, read_only=True) as log:
        await look(log, "end")
        for _ in range(LOOKS):
            cursor = f"#{random.randint(size // 4, size)}"
            begun = perf_counter()
            await look(log, cursor)
            took.append(perf_counter() - begun)
    return median(took)


def _first_view(file: Path, size: int) -> float:
    async def looked() -> float:
        async with open_log(file, read_only=True) as log:
            begun = perf_counter()
            view = await log.view(WORLD, WHO, f"#{size // 2}")
            await view.events(max(0, len(view) - 200))
            return perf_counter() - begun

    return asyncio.run(looked())


def _command(*words: str) -> Callable[[Path, int], float]:
    def took(file: Path, size: int) -> float:
        filled = [word.format(middle=size // 2, before=max(1, size // 2 - 200)) for word in words]
        begun = perf_counter()
        run([*COMMAND, *filled, "--log", file])
        return perf_counter() - begun

    return took


def _fork(file: Path, size: int) -> float:
    name = f"fork-{perf_counter_ns()}"
    return _command("fork", WORLD, "--at", "#{middle}", "--name", name)(file, size)


def _serve(file: Path, size: int) -> float:
    begun = perf_counter()
    with serving(file) as url:
        asked = f"{url}/api/v1/worlds/{WORLD}/events?after={size // 2}&limit=50"
        with urlopen(asked, timeout=60) as answer:
            answer.read()
        return perf_counter() - begun


def _memory(file: Path, size: int) -> float:
    return float(run([sys.executable, HERE / "keeper.py", file]))


MEASURES = (
    Measure("appending all of it, 1,000 at once", "s", _appended, LINEAR),
    Measure("a view, 200 events, first touch of its world", "s", _first_view, LINEAR),
    Measure("a view again, 200 events at an earlier cursor", "s", _view, FLAT),
    Measure("recall at an earlier cursor, its index there", "s", _recall, LINEAR),
    Measure(
        "replay of 200 events in the middle, whole process",
        "s",
        _command("replay", WORLD, "--from", "#{before}", "--at", "#{middle}"),
        FLAT,
    ),
    Measure("fork in the middle, whole process", "s", _fork, FLAT),
    Measure("server from its start to its first answer", "s", _serve, FLAT),
    Measure("memory of a process that searched it", "MB", _memory, LINEAR),
)
