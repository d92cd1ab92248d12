"""A log as a text file, and as a copy of itself: lossless, hash for hash.

An export is JSON lines, gzipped where its name ends in `.gz`: first which worlds it holds and up
to where, then their events, each byte for byte as it was hashed. A backup is the log read once
more from the start, in the order of arrival, into a new SQLite log. Neither stops a writer.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import IO, cast

import msgspec
from msgspec import Struct

from whoknew.eventlog.address import open_log
from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import BadAddress, BadArchive, LogError, OtherHistory
from whoknew.eventlog.log import Log
from whoknew.eventlog.stores.store import START, Batch, Record, World

FORMAT = 1

CHUNK = 1000

BESIDE = ("-wal", "-shm", ".lock")
"""What an SQLite log has beside it while it is open."""


class Header(Struct, frozen=True):
    """The first line: what the rest holds. A file that ends before every head was cut short."""

    whoknew_export: int
    worlds: list[World]


class Line(Struct, frozen=True):
    event: msgspec.Raw
    hash: str


class Imported(Struct, frozen=True):
    """How many events were written, and how many the log had already."""

    events: int
    already: int


async def export_log(log: Log, path: Path, world: str | None = None) -> Header:
    """Write every world, or one with all of its past, as it is now."""
    header = Header(FORMAT, await _chosen(log, world))
    with _becoming(path) as partial, _opened(partial, "wb", zipped=path.suffix == ".gz") as file:
        file.write(msgspec.json.encode(header) + b"\n")
        async for chunk in _records(log, header.worlds, whole=world is None):
            lines = b"".join(
                b'{"event":%b,"hash":"%b"}\n' % (record.body, record.hash.hex().encode())
                for _, record in chunk
            )
            await asyncio.to_thread(file.write, lines)
    return header


async def import_log(log: Log, path: Path) -> Imported:
    """Read an export into a log: worlds that it lacks, and what it lacks of those it has.

    All of the file is checked before anything is written: its chain, and that the log has no
    other history of the same worlds. Killed half-way, it goes on when it is run again.
    """
    worlds = await _check(log, path)
    had = {one.name: one.head for one in await log.worlds()}
    written = already = 0
    async for chunk in _lines(path, log.codec):
        new = [(name, one) for name, one in chunk if one.seq > had.get(name, 0)]
        await _adopt(log, new, {name: one for name, one in worlds.items() if name not in had})
        written += len(new)
        already += len(chunk) - len(new)
    return Imported(written, already)


async def backup(log: Log, path: Path) -> Header:
    """Copy the log as it is now into a new SQLite log, whatever it is kept in."""
    header = Header(FORMAT, await log.worlds())
    worlds = {one.name: one for one in header.worlds}
    with _becoming(path) as partial:
        async with open_log(partial) as copy:
            async for chunk in _records(log, header.worlds, whole=True):
                await _adopt(copy, chunk, worlds)
    return header


Owned = tuple[str, Record]
"""A record, and the world that it belongs to."""


@contextmanager
def _becoming(path: Path) -> Iterator[Path]:
    """A file that takes the place of `path` once it is whole, and is gone if it never is."""
    if path.exists():
        raise BadAddress(f"{path} exists already: name a new file")
    if not path.absolute().parent.is_dir():
        raise BadAddress(f"{path}: there is no folder {path.absolute().parent}")
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        yield partial
        partial.replace(path)
    finally:
        for left in (partial, *(partial.with_name(partial.name + end) for end in BESIDE)):
            left.unlink(missing_ok=True)


async def _chosen(log: Log, world: str | None) -> list[World]:
    """The worlds to write: all, or one with as much of its ancestors as it shares."""
    if world is None:
        return await log.worlds()
    segments = await log.past.lineage(world)
    found = [(await log.past.find(one.world), one.upto) for one in segments]
    return [msgspec.structs.replace(one, head=min(one.head, upto)) for one, upto in found]


async def _records(log: Log, worlds: Sequence[World], *, whole: bool) -> AsyncIterator[list[Owned]]:
    """The records of these worlds up to their heads: of a whole log in the order of arrival."""
    heads = {one.name: one.head for one in worlds}
    if whole:
        after, missing = START, sum(one.head - one.forked_at for one in worlds)
        while missing and (page := await log.store.page(after, CHUNK)):
            chunk = [
                (arrival.world, arrival.record)
                for arrival in page
                if arrival.record.seq <= heads.get(arrival.world, 0)
            ]
            missing -= len(chunk)
            after = page[-1].position
            yield chunk
        return
    for one in worlds:
        seq = one.forked_at
        while records := await log.store.records(one.name, seq, one.head, CHUNK):
            yield [(one.name, record) for record in records]
            seq = records[-1].seq


async def _adopt(log: Log, chunk: Sequence[Owned], worlds: dict[str, World]) -> None:
    """Write records as they are. `worlds` are those that may have to be created."""
    batches = []
    for name, run in groupby(chunk, key=lambda owned: owned[0]):
        records = [record for _, record in run]
        after = records[0].seq - 1
        new = worlds.get(name)
        opens = new if new and new.forked_at == after else None
        batches.append(Batch(name, after, records, opens))
    await log.adopt(batches)


async def _check(log: Log, path: Path) -> dict[str, World]:
    """Read all of an export and find it whole, in order, and at one with the log."""
    header = await _header(path)
    worlds = {one.name: one for one in header.worlds}
    had = {one.name: one for one in await log.worlds()}
    for one in header.worlds:
        _check_parents(one, worlds, had)
    branching = {(one.parent, one.forked_at): GENESIS for one in header.worlds if one.parent}
    tips = {one.name: (one.forked_at, GENESIS) for one in header.worlds}
    async for chunk in _lines(path, log.codec):
        for name, record in chunk:
            if name not in worlds:
                raise BadArchive(f"{path}: an event of {name!r}, which its first line leaves out")
            seq, previous = tips[name]
            one = worlds[name]
            if seq == one.forked_at and one.parent:
                previous = branching[one.parent, one.forked_at]
            if record.seq != seq + 1 or link(previous, record.body) != record.hash:
                raise BadArchive(
                    f"{path}: {name!r} #{seq + 1} is missing or is not what was exported: "
                    "export it again, or import another copy"
                )
            tips[name] = (record.seq, record.hash)
            if (name, record.seq) in branching:
                branching[name, record.seq] = record.hash
        await _compare(log, chunk, had)
    for one in header.worlds:
        if tips[one.name][0] != one.head:
            raise BadArchive(
                f"{path}: cut short: {one.name!r} ends at #{tips[one.name][0]} of #{one.head}"
            )
    return worlds


def _check_parents(one: World, worlds: dict[str, World], had: dict[str, World]) -> None:
    mine = had.get(one.name)
    if mine and (mine.parent, mine.forked_at) != (one.parent, one.forked_at):
        raise OtherHistory(
            f"{one.name!r} has another history here: it is "
            f"{_origin(mine)}, the export has it {_origin(one)}"
        )
    if one.parent and (one.parent not in worlds or worlds[one.parent].head < one.forked_at):
        raise BadArchive(f"{one.name!r} is forked from {one.parent!r}, which the export lacks")


def _origin(world: World) -> str:
    return f"forked from {world.parent!r} #{world.forked_at}" if world.parent else "no fork"


async def _compare(log: Log, chunk: Sequence[Owned], had: dict[str, World]) -> None:
    """Refuse a chunk whose events are not the ones that the log has."""
    for name, run in groupby(chunk, key=lambda owned: owned[0]):
        records = [record for _, record in run]
        mine = had.get(name)
        if not mine or records[0].seq > mine.head:
            continue
        own = await log.store.records(name, records[0].seq - 1, records[-1].seq, len(records))
        for theirs, ours in zip(records, own, strict=False):
            if theirs.hash != ours.hash:
                raise OtherHistory(
                    f"{name!r} has another history here: #{ours.seq} is {ours.hash.hex()[:12]}, "
                    f"the export has {theirs.hash.hex()[:12]}; import into a log without it"
                )


async def _header(path: Path) -> Header:
    try:
        with reading(path) as file:
            header = msgspec.json.decode(file.readline(), type=Header)
    except (OSError, EOFError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadArchive(f"{path} is no export of a log: {error}") from None
    if header.whoknew_export > FORMAT:
        raise BadArchive(
            f"{path} has format {header.whoknew_export}; this Whoknew reads up to {FORMAT}: "
            "upgrade to import it"
        )
    return header


async def _lines(path: Path, codec: Codec) -> AsyncIterator[list[Owned]]:
    """The records of an export, with the labels that the store gave them worked out anew."""
    decode = msgspec.json.Decoder(Line).decode
    keys: dict[str, str | None] = {}
    with reading(path) as file:
        file.readline()
        number = 1
        while lines := await asyncio.to_thread(_some, file, path):
            chunk = []
            for text in lines:
                number += 1
                try:
                    line = decode(text)
                    event, digest = codec.decode(bytes(line.event)), bytes.fromhex(line.hash)
                except (msgspec.DecodeError, UnicodeDecodeError, ValueError, LogError) as error:
                    raise BadArchive(f"{path}, line {number}: {error}") from None
                begins = event.key is not None and keys.get(event.world) != event.key
                keys[event.world] = event.key
                chunk.append(
                    (
                        event.world,
                        Record(
                            event.seq,
                            digest,
                            bytes(line.event),
                            event.key if begins else None,
                            1 if event.body.landmark else None,
                        ),
                    )
                )
            yield chunk


def _some(file: IO[bytes], path: Path) -> list[bytes]:
    try:
        return list(islice(file, CHUNK))
    except (OSError, EOFError) as error:
        raise BadArchive(f"{path} is damaged or cut short: {error}") from None


def reading(path: Path) -> IO[bytes]:
    """The bytes of an export, unzipped where they are zipped."""
    return _opened(path, "rb")


def _opened(path: Path, mode: str, *, zipped: bool | None = None) -> IO[bytes]:
    zipped = path.suffix == ".gz" if zipped is None else zipped
    return cast(IO[bytes], gzip.open(path, mode) if zipped else path.open(mode))
