"""An export written anew with other events in it, and chained anew: for taking names out of it and
putting them back. Events that come back as they were come back hash for hash."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO

import msgspec

from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import BadArchive
from whoknew.eventlog.exported import (
    Header,
    Owned,
    check_worlds,
    checked,
    read_header,
)

Change = Callable[[bytes], bytes]
"""What becomes of an event's bytes."""

UNCHANGEABLE = (ValueError, zlib.error, RecursionError)
"""What changing an event raises that a log may hold, and that this program never wrote."""


async def events(path: Path) -> AsyncIterator[bytes]:
    """The bytes of every event of an export, which is found sound and whole on the way."""
    async for _, record in _owned(path, await read_header(path)):
        yield record.body


async def rewrite(
    source: Path, file: IO[bytes], change: Change, rename: Callable[[str], str]
) -> int:
    """Write an export with each event changed and each world renamed; how many events it holds."""
    header = await read_header(source)
    worlds = [
        msgspec.structs.replace(
            one, name=rename(one.name), parent=rename(one.parent) if one.parent else None
        )
        for one in header.worlds
    ]
    check_worlds(source, worlds)
    tips = {one.name: GENESIS for one in worlds}
    origins = {one.name: (one.parent, one.forked_at) for one in worlds if one.parent}
    branching = dict.fromkeys(origins.values(), GENESIS)
    count = 0
    file.write(msgspec.json.encode(msgspec.structs.replace(header, worlds=worlds)) + b"\n")
    async for name, record in _owned(source, header):
        world, changed = rename(name), _changed(source, change, name, record.seq, record.body)
        previous = tips[world]
        origin = origins.get(world)
        if previous is GENESIS and origin:
            previous = branching[origin]
        tips[world] = hashed = link(previous, changed)
        if (world, record.seq) in branching:
            branching[world, record.seq] = hashed
        file.write(b'{"event":%b,"hash":"%b"}\n' % (changed, hashed.hex().encode()))
        count += 1
    return count


async def _owned(path: Path, header: Header) -> AsyncIterator[Owned]:
    async for chunk in checked(path, header, Codec()):
        for owned in chunk:
            yield owned


def _changed(path: Path, change: Change, world: str, seq: int, body: bytes) -> bytes:
    try:
        return change(body)
    except UNCHANGEABLE as error:
        raise BadArchive(f"{path}: {world!r} #{seq} cannot be rewritten: {error}") from None
