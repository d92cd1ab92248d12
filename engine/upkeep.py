"""What an operator does with a log: print its heads, check it, copy it out and in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from whoknew.engine.opening import file_of, reading, writing
from whoknew.eventlog import Fault, Head, Log, backup, export_log, import_log, verify
from whoknew.eventlog.archive import Imported
from whoknew.eventlog.errors import BadAddress, BadArchive, NoSuchWorld
from whoknew.eventlog.verify import Verified


class BadHead(ValueError):
    """A line that is not a head as it was printed."""


class Copied(Struct, frozen=True):
    """Which worlds went into a file, each up to which seq, and how large it is."""

    file: str
    worlds: dict[str, int]
    events: int
    size: int


async def heads(address: str, world: str | None = None) -> list[Head]:
    async with reading(address) as log:
        names = [world] if world else [one.name for one in await log.worlds()]
        return [await log.head(name) for name in names]


def parse_head(line: str) -> Head:
    """A head as it was printed: `world #seq hash`."""
    found = re.fullmatch(r"(.+) #([0-9]{1,18}) ([0-9a-f]{64})", line.strip())
    if not found:
        raise BadHead(f"{line.strip()!r} is no head: it is printed as `world #seq hash`")
    return Head(found[1], int(found[2]), bytes.fromhex(found[3]))


def lines(file: Path) -> list[str]:
    """The lines of a file of heads."""
    text = file.read_text("utf-8", errors="replace")
    return [line for line in text.splitlines() if line.strip()]


async def check(address: str, world: str | None = None, kept: Sequence[Head] = ()) -> Verified:
    """Check the chain of events, and that heads kept elsewhere still stand in it."""
    async with reading(address) as log:
        found = await verify(log, world)
        lost = [fault for head in kept if (fault := await _lost(log, head))]
        return Verified(found.events, found.heads, (*found.faults, *lost))


async def _lost(log: Log, head: Head) -> Fault | None:
    try:
        record = await log.past.record(head.world, head.seq)
    except NoSuchWorld:
        return Fault("the head that was kept is of a world that is gone", head.world, head.seq)
    if record is None:
        ends = (await log.head(head.world)).seq
        return Fault(f"the head that was kept is gone: the world ends at #{ends}", *_at(head))
    if record.hash != head.hash:
        return Fault("another history: its hash is not the one that was kept", *_at(head))
    return None


def _at(head: Head) -> tuple[str, int]:
    return head.world, head.seq


async def write_export(address: str, file: Path, world: str | None = None) -> Copied:
    async with reading(address) as log:
        header = await export_log(log, file, world)
    return _copied(file, ((one.name, one.forked_at, one.head) for one in header.worlds))


async def write_backup(address: str, file: Path) -> Copied:
    async with reading(address) as log:
        header = await backup(log, file)
    return _copied(file, ((one.name, one.forked_at, one.head) for one in header.worlds))


async def read_export(address: str, file: Path) -> Imported:
    _check_there(file, address)
    place = file_of(address)
    made = place is not None and not place.exists()
    try:
        async with writing(address) as log:
            return await import_log(log, file)
    except BadArchive:
        if made and place:  # nothing was written, so the log that was made for it is empty
            place.unlink()
        raise


def _check_there(file: Path, address: str) -> None:
    if not file.is_file():
        raise BadArchive(f"{file}: there is no such file")
    if file_of(address) == file:
        raise BadAddress(f"{file} is named twice: the log comes first, then the export")


def _copied(file: Path, worlds: Iterable[tuple[str, int, int]]) -> Copied:
    spans = list(worlds)
    return Copied(
        str(file),
        {name: head for name, _, head in spans},
        sum(head - forked_at for _, forked_at, head in spans),
        file.stat().st_size,
    )
