"""What an operator waits for: verifying, exporting, importing, backing up, forking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from time import perf_counter, perf_counter_ns

from figure import Figure
from reads import filled
from session import Session

from whoknew.eventlog import Log, backup, export_log, import_log, open_log, verify

Work = Callable[[Log], Coroutine[None, None, object]]


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(200_000, 5_000)
    path = filled(session, count)
    file = session.folder / "export.jsonl"

    async def exported(log: Log) -> None:
        await export_log(log, session.file(file.name))

    async def imported(log: Log) -> None:
        await import_log(log, file)

    async def backed_up(log: Log) -> None:
        await backup(log, session.file("copy.db"))

    def rates(work: Work, log: Callable[[], Path] = lambda: path) -> list[float]:
        return session.repeated(lambda: count / asyncio.run(_took(log(), work)))

    yield Figure(f"verify, {count:,} events", ours=rates(verify))
    yield Figure(f"export, {count:,} events", ours=rates(exported))
    copied = rates(imported, lambda: session.file("copy.db"))
    yield Figure(f"import, checked first, {count:,} events", ours=copied)
    yield Figure(f"backup, {count:,} events", ours=rates(backed_up))
    yield from _forks(session, path, count)


def _forks(session: Session, path: Path, count: int) -> Iterator[Figure]:
    """The first of a process is other work than the next: the log has nothing at hand yet."""
    pairs = session.repeated(lambda: asyncio.run(_forked(path, count // 2)))
    what = f"fork in the middle of {count:,} events"
    yield Figure(f"{what}, in a log just opened", "ms", [first for first, _ in pairs])
    yield Figure(f"{what}, once more", "ms", [later for _, later in pairs])


async def _forked(path: Path, seq: int) -> tuple[float, float]:
    """How many ms the first fork takes, and the second."""
    async with open_log(path) as log:
        waits = []
        for _ in range(2):
            began = perf_counter()
            await log.fork("world", f"fork{perf_counter_ns()}", at=f"#{seq}")
            waits.append((perf_counter() - began) * 1e3)
    return waits[0], waits[1]


async def _took(path: Path, work: Work) -> float:
    async with open_log(path) as log:
        began = perf_counter()
        await work(log)
        return perf_counter() - began
