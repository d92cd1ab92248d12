"""A world that was played, ready to travel in: ten nights in the bundled diner."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from whoknew.engine.running.demo import WORLD, demo
from whoknew.eventlog import Event, Log

__all__ = ["WORLD", "events_of", "nights"]


@cache
def _played() -> Path:
    file = Path(mkdtemp(prefix="whoknew-nights-")) / "nights.db"
    with ThreadPoolExecutor(1) as apart:  # a loop may be running here
        apart.submit(lambda: asyncio.run(demo(str(file)))).result()
    return file


def nights(folder: Path) -> Path:
    """A log of one's own, in which the diner was played to its end."""
    return Path(shutil.copy(_played(), folder / "nights.db"))


async def events_of(log: Log, world: str = WORLD) -> list[Event]:
    return await (await log.director(world)).events()
