"""What an operator waits for: verifying, exporting, importing, backing up, forking."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from time import perf_counter

from figure import Figure
from reads import filled
from session import Session

from whoknew.eventlog import Log, backup, export_log, import_log, open_log, verify


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(200_000, 5_000)
    path = filled(session, count)
    file = session.folder / "export.jsonl"

    async def importing() -> float:
        async with open_log(session.file("copy.db")) as copy:
            return await _rate(count, lambda: import_log(copy, file))

    async def on(work: Callable[[Log], Awaitable[object]]) -> float:
        async with open_log(path) as log:
            return await _rate(count, lambda: work(log))

    works: dict[str, Callable[[], Awaitable[float]]] = {
        "verify": lambda: on(verify),
        "export": lambda: on(lambda log: export_log(log, session.file(file.name))),
        "import, checked first": importing,
        "backup": lambda: on(lambda log: backup(log, session.file("copy.db"))),
    }
    for name, work in works.items():
        rates = session.repeated(lambda work=work: asyncio.run(_of(work)))
        yield Figure(f"{name}, {count:,} events", ours=rates)
    waits = asyncio.run(_forks(session, str(path)))
    yield Figure(f"fork of {count:,} events", "ms", ours=waits)


async def _of(work: Callable[[], Awaitable[float]]) -> float:
    return await work()


async def _rate(count: int, work: Callable[[], Awaitable[object]]) -> float:
    began = perf_counter()
    await work()
    return count / (perf_counter() - began)


async def _forks(session: Session, address: str) -> list[float]:
    waits = []
    async with open_log(address) as log:
        for number in range(session.size(20, 2)):
            began = perf_counter()
            await log.fork("world", f"fork{number}", at="#1000")
            waits.append((perf_counter() - began) * 1e3)
    return waits
