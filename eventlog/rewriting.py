"""An export written anew with other events in it, and chained anew: for taking names out of it and
putting them back. Events that come back as they were come back hash for hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import BadArchive
from whoknew.eventlog.exported import UNREADABLE, ExportLine, ExportPlace, Header, reading

Change = Callable[[bytes], bytes]
"""What becomes of an event's bytes."""


def events(path: Path) -> Iterator[bytes]:
    """The bytes of every event of an export."""
    yield from (bytes(line.event) for line in _lines(path))


def rewrite(source: Path, file: IO[bytes], change: Change, rename: Callable[[str], str]) -> int:
    """Write an export with each event changed and each world renamed; how many events it holds."""
    header = _header(source)
    worlds = [
        msgspec.structs.replace(
            one, name=rename(one.name), parent=rename(one.parent) if one.parent else None
        )
        for one in header.worlds
    ]
    tips = {one.name: GENESIS for one in worlds}
    origins = {one.name: (one.parent, one.forked_at) for one in worlds if one.parent}
    branching = dict.fromkeys(origins.values(), GENESIS)
    count = 0
    file.write(msgspec.json.encode(msgspec.structs.replace(header, worlds=worlds)) + b"\n")
    for body in events(source):
        changed = change(body)
        place = msgspec.json.decode(changed, type=ExportPlace)
        previous = tips[place.world]
        origin = origins.get(place.world)
        if previous is GENESIS and origin:
            previous = branching[origin]
        tips[place.world] = hashed = link(previous, changed)
        if (place.world, place.seq) in branching:
            branching[place.world, place.seq] = hashed
        file.write(b'{"event":%b,"hash":"%b"}\n' % (changed, hashed.hex().encode()))
        count += 1
    return count


def _header(path: Path) -> Header:
    try:
        with reading(path) as file:
            return msgspec.json.decode(next(iter(file)), type=Header)
    except (*UNREADABLE, StopIteration, ValueError) as error:
        raise BadArchive(f"{path} is no export of a log: {error}") from None


def _lines(path: Path) -> Iterator[ExportLine]:
    decode = msgspec.json.Decoder(ExportLine).decode
    for number, text in enumerate(_texts(path), start=1):
        if number > 1:
            try:
                yield decode(text)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise BadArchive(f"{path}, line {number}: {error}") from None


def _texts(path: Path) -> Iterator[bytes]:
    try:
        with reading(path) as file:
            yield from file
    except UNREADABLE as error:
        raise BadArchive(f"{path} is damaged or cut short: {error}") from None
