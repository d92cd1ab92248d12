"""A log as a folder of exports, a file for each world, written by several processes: `whoknew log export
--by-world`."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from whoknew.engine.logs.copies import sound_copy
from whoknew.engine.logs.head import heads
from whoknew.engine.opening import reading
from whoknew.eventlog import Head, export_log
from whoknew.eventlog.errors import BadAddress, LogError

BATCH = 50
"""So many worlds are written by one process before it takes more: a log is opened once for them."""

READABLE, END = 60, ".jsonl.gz"
"""So much of a world's name stands in that of its file; and how all of these end."""

NAMED = 3
"""So many files that are not ours are named."""

Batch = list[tuple[str, Path]]
"""Worlds, and the file of each."""


class WorldsExported(Struct, frozen=True, kw_only=True):
    """How many worlds have a file in the folder now; how many of them had it before."""

    folder: str
    worlds: int
    already: int
    events: int
    size: int


async def write_exports(address: str, folder: Path, processes: int | None = None) -> WorldsExported:
    """Write each world, with the past that it shares, into a file of its own, as many at a time as there
    are processors. Files that are there whole are kept: stopped or killed, it goes on when it is done again."""
    files = {one.world: folder / file_name(one) for one in await heads(address)}
    _make(folder)
    there = _exports_in(folder)
    _check_ours(folder, there - set(files.values()))
    lacking = [(world, file) for world, file in files.items() if file not in there]
    batches = [lacking[start : start + BATCH] for start in range(0, len(lacking), BATCH)]
    events = await asyncio.to_thread(_all_written, address, batches, processes)
    size = sum(file.stat().st_size for file in files.values())
    return WorldsExported(
        folder=str(folder), worlds=len(files), already=len(there), events=events, size=size
    )


def file_name(head: Head) -> str:
    """What can be read of a world's name on any disk, and what tells it, as it is now, from all others
    and from itself at any other time."""
    digest = hashlib.sha256(head.world.encode() + b"\0" + head.hash).hexdigest()[:16]
    readable = re.sub(r"[^A-Za-z0-9]+", "-", head.world).strip("-")[:READABLE]
    return f"{readable}-{digest}{END}" if readable else f"{digest}{END}"


def _exports_in(folder: Path) -> set[Path]:
    return {file for file in folder.iterdir() if file.name.endswith(END)}


def _check_ours(folder: Path, others: set[Path]) -> None:
    if others:
        names = sorted(one.name for one in others)
        some = ", ".join(names[:NAMED]) + (
            f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        )
        raise BadAddress(
            f"{folder} holds worlds of another log, or of this one at another time: {some}: name a new "
            "folder, or remove them"
        )


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadAddress(f"{folder} is a file: --by-world writes into a folder, name one")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadAddress(f"{folder}: no folder can be made there: {error.strerror}") from None


def _all_written(address: str, batches: list[Batch], processes: int | None) -> int:
    """How many events were written. When one process fails, the others end what they have begun."""
    if not batches:
        return 0
    most = min(len(batches), processes or os.cpu_count() or 1)
    with ProcessPoolExecutor(most, get_context("spawn")) as pool:
        work: list[Future[int | str]] = [pool.submit(_written, address, one) for one in batches]
        try:
            return sum(map(_count, work))
        finally:
            pool.shutdown(cancel_futures=True)


def _count(work: Future[int | str]) -> int:
    try:
        written = work.result()
    except BrokenProcessPool:
        raise LogError(
            "one of the processes that wrote was ended, perhaps for want of memory: the same command "
            "goes on with the worlds that have no file yet"
        ) from None
    if isinstance(written, str):
        raise LogError(written)
    return written


def _written(address: str, batch: Batch) -> int | str:
    """In a process of its own: how many events, or why not. As text: not each error can be sent."""
    try:
        return asyncio.run(_write(address, batch))
    except LogError as error:
        return str(error)


async def _write(address: str, batch: Batch) -> int:
    events = 0
    async with reading(address) as log:
        for world, file in batch:
            events += (await sound_copy(log, address, file, world, export_log)).events
    return events
