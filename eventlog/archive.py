"""A log as a text file, and as a copy of itself: lossless, hash for hash.

An export is JSON lines, gzipped where its name ends in `.gz`: first which worlds it holds and up
to where, then their events, each byte for byte as it was hashed. A backup is the log read once
more from the start, in the order of arrival, into a new SQLite log. Neither stops a writer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from whoknew.eventlog.address import open_log
from whoknew.eventlog.errors import (
    BadAddress,
    Damaged,
    LogInUse,
    OtherHistory,
    OutOfSpace,
    missing,
    unwritable,
)
from whoknew.eventlog.exported import (
    FORMAT,
    Header,
    Owned,
    checked,
    opened,
    read_header,
)
from whoknew.eventlog.fork import FOREVER
from whoknew.eventlog.log import Log
from whoknew.eventlog.portions import MOST, portions
from whoknew.eventlog.stores.filelock import FileLock
from whoknew.eventlog.stores.store import START, Batch, World

BESIDE = ("-wal", "-shm", ".lock")
"""What an SQLite log has beside it while it is open."""


class ImportResult(Struct, frozen=True):
    """How many events were written, and how many the log had already."""

    events: int
    already: int


async def export_log(log: Log, path: Path, world: str | None = None) -> Header:
    """Write every world, or one with all of its past, as it is now."""
    header = Header(FORMAT, await _chosen(log, world))
    with exporting(path) as file:
        file.write(msgspec.json.encode(header) + b"\n")
        async for chunk in _records(log, header.worlds, whole=world is None):
            await write_lines(file, chunk)
    return header


async def write_lines(file: IO[bytes], chunk: Sequence[Owned]) -> None:
    lines = b"".join(
        b'{"event":%b,"hash":"%b"}\n' % (record.body, record.hash.hex().encode())
        for _, record in chunk
    )
    await asyncio.to_thread(file.write, lines)


async def import_log(log: Log, path: Path) -> ImportResult:
    """Read an export into a log: worlds that it lacks, and what it lacks of those it has.

    All of the file is checked before anything is written: that a sound log wrote it, and that this
    log has no other history of the same worlds. Killed half-way, it goes on when it is run again.
    """
    header = await _check(log, path)
    had = {one.name: one.head for one in await log.worlds()}
    lacking = {one.name: one for one in header.worlds if one.name not in had}
    written = already = 0
    async for chunk in checked(path, header, log.codec):
        new = [(name, one) for name, one in chunk if one.seq > had.get(name, 0)]
        await adopt(log, new, lacking)
        written += len(new)
        already += len(chunk) - len(new)
    return ImportResult(written, already)


async def backup(log: Log, path: Path) -> Header:
    """Copy the log as it is now into a new SQLite log, whatever it is kept in."""
    header = Header(FORMAT, await log.worlds())
    worlds = {one.name: one for one in header.worlds}
    with becoming(path) as partial:
        async with open_log(partial) as copy:
            async for chunk in _records(log, header.worlds, whole=True):
                await adopt(copy, chunk, worlds)
            written = {one.name: one for one in await copy.worlds()}
            if written != worlds:
                raise Damaged(f"{path}: the copy is not what the log held: make it again")
    return header


async def copy_world(log: Log, world: str, upto: int, into: Log) -> None:
    """Copy a world up to a seq, with as much of its ancestors as it shares, as it was recorded."""
    worlds = await _chosen(log, world, upto)
    async for chunk in _records(log, worlds, whole=False):
        await adopt(into, chunk, {one.name: one for one in worlds})


@contextmanager
def exporting(path: Path) -> Iterator[IO[bytes]]:
    """An export to be written, that is there once it is whole; zipped where its name says so."""
    with becoming(path) as partial, opened(partial, "wb", zipped=path.suffix == ".gz") as file:
        yield file


@contextmanager
def becoming(path: Path) -> Iterator[Path]:
    """A file that takes the place of `path` once it is whole, and is gone if it never is."""
    _check_new(path)
    if not path.absolute().parent.is_dir():
        raise BadAddress(f"{path}: there is no folder {path.absolute().parent}")
    partial = path.with_name(path.name + ".partial")
    try:
        with _alone(path):
            _check_new(path)  # another may just have written it
            try:
                partial.unlink(missing_ok=True)
                yield partial
                with partial.open("rb") as file:
                    os.fsync(file.fileno())  # or a power cut may leave an empty file under the name
                partial.replace(path)
            finally:
                for end in ("", *BESIDE):
                    with suppress(OSError):
                        partial.with_name(partial.name + end).unlink(missing_ok=True)
    except OutOfSpace:  # it names what stands in for the file, which is gone
        raise OutOfSpace(f"no space left for {path}: make room, and try again") from None
    except OSError as error:
        raise unwritable(error, path) from error


def _check_new(path: Path) -> None:
    if path.exists():
        raise BadAddress(f"{path} exists already: name a new file")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While nobody else writes a file of that name. The lock is not `path.lock`, which may be somebody's own."""
    lock = FileLock(path.with_name(path.name + ".new"))
    try:
        lock.take()
    except LogInUse:
        raise BadAddress(
            f"{path} is being written by another process: name another file, or wait until it is there"
        ) from None
    try:
        yield
    finally:
        lock.release()


async def _chosen(log: Log, world: str | None, upto: int = FOREVER) -> list[World]:
    """The worlds to write: all, or one up to a seq with as much of its ancestors as it shares."""
    if world is None:
        return await log.worlds()
    segments = await log.lineage.lineage(world, 0, upto)
    found = [(await log.lineage.find(one.world), one.upto) for one in segments]
    return [msgspec.structs.replace(one, head=min(one.head, upto)) for one, upto in found]


async def _records(log: Log, worlds: Sequence[World], *, whole: bool) -> AsyncIterator[list[Owned]]:
    """The records of these worlds, each up to its head: of a whole log in the order of arrival as
    far as that is settled, then what is left of each world. All of them, or it is an error."""
    reached = {one.name: one.forked_at for one in worlds}
    if whole:
        async for chunk in _arrived(log, worlds, reached):
            yield chunk
    for one in worlds:
        seq = reached[one.name]
        async for records in portions(log.store, one.name, seq, one.head):
            if records[0].seq != seq + 1:
                break
            yield [(one.name, record) for record in records]
            seq = records[-1].seq
        if seq < one.head:
            raise missing(one.name, seq + 1)


async def _arrived(
    log: Log, worlds: Sequence[World], reached: dict[str, int]
) -> AsyncIterator[list[Owned]]:
    """What has arrived and goes on from what each world has `reached`, which moves with it.

    On PostgreSQL the order is known below the oldest open transaction of the whole server only.
    """
    due = {one.name: one for one in worlds}
    left = sum(one.head - one.forked_at for one in worlds)
    after = START
    while left and (page := await log.store.page(after, MOST)):
        after = page[-1].position
        chunk = []
        for arrival in page:
            world, seq = due.get(arrival.world), arrival.record.seq
            if world and seq <= world.head and _follows(world, seq, reached):
                reached[world.name] = seq
                chunk.append((world.name, arrival.record))
        left -= len(chunk)
        yield chunk


def _follows(world: World, seq: int, reached: dict[str, int]) -> bool:
    """Whether all stands before it that must: its own world's events, and those it is forked from."""
    begun = seq > world.forked_at + 1 or not world.parent
    return seq == reached[world.name] + 1 and (
        begun or reached.get(world.parent or "", 0) >= world.forked_at
    )


async def adopt(log: Log, chunk: Sequence[Owned], worlds: dict[str, World]) -> None:
    """Write records as they are. `worlds` are those that may have to be created."""
    batches = []
    for name, run in groupby(chunk, key=lambda owned: owned[0]):
        records = [record for _, record in run]
        after = records[0].seq - 1
        new = worlds.get(name)
        opens = new if new and new.forked_at == after else None
        batches.append(Batch(name, after, records, opens))
    await log.adopt(batches)


async def _check(log: Log, path: Path) -> Header:
    """Read all of an export, and find it sound and at one with the log."""
    header = await read_header(path)
    had = {one.name: one for one in await log.worlds()}
    for one in header.worlds:
        _check_origin(one, had.get(one.name))
    async for chunk in checked(path, header, log.codec):
        await _compare(log, chunk, had)
    return header


def _check_origin(one: World, mine: World | None) -> None:
    if mine and (mine.parent, mine.forked_at) != (one.parent, one.forked_at):
        raise OtherHistory(
            f"{one.name!r} has another history here: it is "
            f"{_origin(mine)}, the export has it {_origin(one)}"
        )


def _origin(world: World) -> str:
    return f"forked from {world.parent!r} #{world.forked_at}" if world.parent else "no fork"


async def _compare(log: Log, chunk: Sequence[Owned], had: dict[str, World]) -> None:
    """Refuse a chunk whose events are not the ones that the log has."""
    for name, run in groupby(chunk, key=lambda owned: owned[0]):
        records = [record for _, record in run]
        mine = had.get(name)
        if not mine or records[0].seq > mine.head:
            continue
        theirs = {one.seq: one.hash for one in records}
        async for own in portions(log.store, name, records[0].seq - 1, records[-1].seq):
            for ours in own:
                if ours.hash != theirs[ours.seq]:
                    raise OtherHistory(
                        f"{name!r} has another history here: #{ours.seq} is {ours.hash.hex()[:12]}, "
                        f"the export has {theirs[ours.seq].hex()[:12]}; import into a log without it"
                    )
