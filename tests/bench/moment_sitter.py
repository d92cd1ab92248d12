"""Sits an exam of TimeChara's instances, from wherever its log stands, and makes its table.

    python moment_sitter.py FOLDER

The plan in the folder is `novels.toml`. It prints as JSON how many cells it asked in how many seconds, its
memory after each tenth of them, the seconds that the table took, and a digest of that.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

import memory
import msgspec
from msgspec import Struct

from whoknew.engine import load_exam, read_exam
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.run import AnySession, ExamOptions, run_exam
from whoknew.engine.exams.table import TabledCells
from whoknew.engine.terminal.garbage import collect_seldom

OFTEN = 0.1
"""Seconds between two looks at the memory."""


class SatInstances(Struct, frozen=True, kw_only=True):
    cells: int
    seconds: float
    memory: tuple[float, ...]
    tabled: float
    table: str


async def main(folder: Path) -> SatInstances:
    exam, begun = load_exam(folder / "novels.toml"), perf_counter()
    looks: list[tuple[int, float]] = []

    @contextmanager
    def watched(sitting: AnySession) -> Iterator[None]:
        over = Event()
        looker = Thread(target=_look, args=(sitting.progress, looks, over))
        looker.start()
        try:
            yield
        finally:
            over.set()
            looker.join()

    sat = await run_exam(exam, ExamOptions(), watched)
    assert sat.reason is None and sat.progress.failed == 0, sat
    seconds, begun = perf_counter() - begun, perf_counter()
    found = await read_exam(exam)
    return SatInstances(
        cells=sat.progress.answered,
        seconds=seconds,
        memory=tuple(_tenths(looks, sat.progress.answered)),
        tabled=perf_counter() - begun,
        table=_digest(found),
    )


def _look(progress: ExamProgress, looks: list[tuple[int, float]], over: Event) -> None:
    while not over.wait(OFTEN):
        looks.append((progress.answered, memory.now()))


def _tenths(looks: list[tuple[int, float]], cells: int) -> Iterator[float]:
    """What was held once each tenth of the cells was asked."""
    for tenth in range(1, 11):
        done = [held for answered, held in looks if 10 * answered >= tenth * cells]
        yield done[0] if done else looks[-1][1]


def _digest(found: TabledCells) -> str:
    """Of all that the table says, but for how long it took and where its log lies."""
    table = found.table
    told = (found.cells, table.figures, table.own, table.comparisons, table.kinds, table.units)
    return sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    print(msgspec.json.encode(asyncio.run(main(Path(sys.argv[1])))).decode())
