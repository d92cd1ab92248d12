"""An export as it stands in a file, and what of it can be believed.

JSON lines: the first says which worlds it holds and up to where, each other is an event, byte for
byte as it was hashed. It may come from anywhere, so nothing is taken from it that a sound log
could not have written.
"""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO, cast

import msgspec
from msgspec import Struct

from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import BadArchive, LogError
from whoknew.eventlog.portions import MOST
from whoknew.eventlog.soundness import Seams, Walk
from whoknew.eventlog.stamp import LARGEST
from whoknew.eventlog.stores.store import PORTION, Record, World, is_name

FORMAT = 1

LONGEST_HEADER, LONGEST_LINE = 2**29, LARGEST + 1000
"""Bytes of a line at most: of the first one, with four million worlds; of an event with its hash. A
file of a few megabytes can be unzipped to a line that no memory holds."""

UNREADABLE = (OSError, EOFError, zlib.error)
"""What reading a file raises that is gone, damaged or cut short."""


class Header(Struct, frozen=True):
    """The first line: what the rest holds. A file that ends before every head was cut short."""

    whoknew_export: int
    worlds: list[World]


class ExportLine(Struct, frozen=True):
    event: msgspec.Raw
    hash: str


class ExportPlace(Struct):
    """Which event it is, as it says itself."""

    world: str
    seq: int


Owned = tuple[str, Record]
"""A record, and the world that it belongs to."""


async def read_header(path: Path) -> Header:
    try:
        with reading(path) as file:
            header = msgspec.json.decode(file.readline(LONGEST_HEADER), type=Header)
    except (*UNREADABLE, ValueError) as error:
        raise BadArchive(f"{path} is no export of a log: {error}") from None
    except RecursionError:
        raise BadArchive(f"{path} is no export of a log: it is nested too deep") from None
    if header.whoknew_export < 1:
        raise BadArchive(f"{path} is no export of a log: it has format {header.whoknew_export}")
    if header.whoknew_export > FORMAT:
        raise BadArchive(
            f"{path} has format {header.whoknew_export}; this Whoknew reads up to {FORMAT}: "
            "upgrade to import it"
        )
    check_worlds(path, header.worlds)
    return header


def check_worlds(path: Path, worlds: Sequence[World]) -> None:
    """That a log can have these worlds: each with events of its own, forks after their parents."""
    earlier: dict[str, World] = {}
    for one in worlds:
        if not is_name(one.name) or one.name in earlier or one.head <= one.forked_at:
            raise BadArchive(f"{path}: no log has a world like {one}")
        if one.parent is None and one.forked_at != 0:
            raise BadArchive(f"{path}: {one.name!r} is forked from nothing")
        if one.parent is not None:
            parent = earlier.get(one.parent)
            if parent is None or not parent.forked_at < one.forked_at <= parent.head:
                raise BadArchive(
                    f"{path}: {one.name!r} is forked from {one.parent!r} #{one.forked_at}, "
                    "which the export lacks: export it again, with all of its past"
                )
        earlier[one.name] = one


async def checked(path: Path, header: Header, codec: Codec) -> AsyncIterator[list[Owned]]:
    """The records of an export, each found sound, with the labels that a store gives them."""
    check = _Check(path, header, codec)
    async for chunk in _lines(path):
        yield [check.step(number, event, digest) for number, event, digest in chunk]
    check.ended()


class _Check:
    """Goes along all worlds of an export at once, as their events come."""

    def __init__(self, path: Path, header: Header, codec: Codec) -> None:
        self._path, self._codec = path, codec
        self._worlds = {one.name: one for one in header.worlds}
        self._seams = Seams(header.worlds)
        self._walks: dict[str, Walk] = {}

    def step(self, number: int, event: bytes, digest: bytes) -> Owned:
        try:
            place = msgspec.json.decode(event, type=ExportPlace)
        except ValueError as error:
            raise BadArchive(f"{self._path}, line {number}: {error}") from None
        walk = self._walks.get(place.world) or self._begin(place.world, number)
        try:
            record = walk.step(place.seq, digest, event)
        except LogError as error:
            raise BadArchive(
                f"{self._path}: {place.world!r} #{walk.tip.seq + 1} is missing or is not what was "
                f"exported ({error}): export it again, or import another copy"
            ) from None
        self._seams.note(walk.tip)
        return place.world, record

    def ended(self) -> None:
        for one in self._worlds.values():
            reached = self._walks[one.name].tip.seq if one.name in self._walks else one.forked_at
            if reached != one.head:
                raise BadArchive(
                    f"{self._path}: cut short: {one.name!r} ends at #{reached} of #{one.head}"
                )

    def _begin(self, name: str, number: int) -> Walk:
        world = self._worlds.get(name)
        if world is None:
            raise BadArchive(f"{self._path}: an event of {name!r}, which its first line leaves out")
        tip = self._seams.beginning(world)
        if tip is None:
            raise BadArchive(
                f"{self._path}, line {number}: {name!r} begins before {world.parent!r} "
                f"#{world.forked_at}, from which it is forked"
            )
        return self._walks.setdefault(name, Walk(world, tip, self._codec))


async def _lines(path: Path) -> AsyncIterator[list[tuple[int, bytes, bytes]]]:
    """What stands in an export: the number of each line, its event's bytes and their hash."""
    decode = msgspec.json.Decoder(ExportLine).decode
    with reading(path) as file:
        file.readline(LONGEST_HEADER)
        number = 1
        while lines := await asyncio.to_thread(_some, file, path):
            chunk = []
            for text in lines:
                number += 1
                if len(text) > LONGEST_LINE:
                    raise BadArchive(f"{path}, line {number}: it is longer than any event")
                try:
                    line = decode(text.decode())
                    chunk.append((number, bytes(line.event), bytes.fromhex(line.hash)))
                except ValueError as error:
                    raise BadArchive(f"{path}, line {number}: {error}") from None
                except RecursionError:
                    raise BadArchive(f"{path}, line {number}: it is nested too deep") from None
            yield chunk


def _some(file: IO[bytes], path: Path) -> list[bytes]:
    lines: list[bytes] = []
    room = PORTION
    try:
        while len(lines) < MOST and room > 0 and (line := file.readline(LONGEST_LINE + 1)):
            lines.append(line)
            room -= len(line)
        return lines
    except UNREADABLE as error:
        raise BadArchive(f"{path} is damaged or cut short: {error}") from None


def reading(path: Path) -> IO[bytes]:
    """The bytes of an export, unzipped where they are zipped."""
    return opened(path, "rb")


def opened(path: Path, mode: str, *, zipped: bool | None = None) -> IO[bytes]:
    zipped = path.suffix == ".gz" if zipped is None else zipped
    return cast(IO[bytes], gzip.open(path, mode) if zipped else path.open(mode))
