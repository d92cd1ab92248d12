"""Tasks that each append one event at a time, and how long they waited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter

from figure import percentile
from msgspec import Struct

TASKS = 256


class Timed(Struct, frozen=True):
    """How many appends a second, and how long each was waited for."""

    rate: float
    waits: list[float]


async def appended(
    tasks: int,
    each: int,
    append: Callable[[int, int], Awaitable[object]],
    seen: Awaitable[object] | None = None,
) -> Timed:
    """Let tasks append, each the next when its last is written; then wait for what must see it."""
    waits: list[float] = []

    async def run(task: int) -> None:
        for turn in range(each):
            start = perf_counter()
            await append(task, turn)
            waits.append(perf_counter() - start)

    began = perf_counter()
    await asyncio.gather(*map(run, range(tasks)))
    if seen is not None:
        await seen
    return Timed(tasks * each / (perf_counter() - began), waits)


def waited(runs: list[Timed]) -> str:
    waits = [wait for one in runs for wait in one.waits]
    middle, worst = percentile(waits, 0.5) * 1e3, percentile(waits, 0.99) * 1e3
    return f"p50 {middle:.2f} ms, p99 {worst:.2f} ms"
