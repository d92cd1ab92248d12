"""What an operator does with a log: print its heads, check it, copy it out and in."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.opening import check_place, file_of, reading, without_password, writing
from whoknew.eventlog import Fault, Head, Log, backup, export_log, import_log, verify
from whoknew.eventlog.archive import ImportResult
from whoknew.eventlog.errors import BadAddress, BadArchive, Damaged, NoSuchWorld, NotALog
from whoknew.eventlog.exported import Header
from whoknew.eventlog.salvage import Salvaged, backup_readable, export_readable, salvaged


class BadHead(ValueError):
    """A line that is not a head as it was printed."""


class Checked(Struct, frozen=True, kw_only=True):
    """What was checked and what was found. `unchecked` events stand behind a fault; of the `kept`
    heads that were given, `standing` are still so."""

    events: int
    heads: tuple[Head, ...]
    faults: tuple[Fault, ...]
    unchecked: int = 0
    kept: int = 0
    standing: int = 0


class Copied(Struct, frozen=True, kw_only=True):
    """Which worlds went into a file, each up to which seq, and how large it is. Of a log that is
    damaged, how many events of each were saved, and what is `lost`."""

    file: str
    worlds: dict[str, int]
    events: int
    size: int
    lost: tuple[str, ...] = ()


class _KeptHead(Struct):
    """A head as `log head --json` printed it."""

    world: str
    seq: int
    hash: str


async def heads(address: str, world: str | None = None) -> list[Head]:
    async with reading(address) as log:
        names = [world] if world else [one.name for one in await log.worlds()]
        return [await log.head(name) for name in names]


def kept(printed: Sequence[str], file: Path | None = None) -> list[Head]:
    """Heads that were kept elsewhere, given one by one or in a file, as lines or as JSON."""
    found = [parse_head(line) for line in printed]
    if file is None:
        return found
    text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8", errors="replace")
    source = "stdin" if str(file) == "-" else str(file)
    in_file = _from_json(text, source) if text.lstrip()[:1] == "[" else _from_lines(text)
    if not in_file:
        raise BadHead(f"{source} holds no head: `whoknew log head LOG` prints them")
    return found + in_file


def parse_head(line: str) -> Head:
    """A head as it was printed: `world #seq hash`."""
    found = re.fullmatch(r"(.+) #([0-9]{1,18}) ([0-9a-f]{64})", line.strip())
    if not found:
        shown = line.strip() if len(line.strip()) <= 80 else f"{line.strip()[:80]}..."
        raise BadHead(f"{shown!r} is no head: it is printed as `world #seq hash`")
    return Head(found[1], int(found[2]), bytes.fromhex(found[3]))


def _from_lines(text: str) -> list[Head]:
    return [parse_head(line) for line in text.splitlines() if line.strip()]


def _from_json(text: str, source: str) -> list[Head]:
    try:
        found = msgspec.json.decode(text, type=list[_KeptHead])
        return [Head(one.world, one.seq, bytes.fromhex(one.hash)) for one in found]
    except ValueError as error:
        raise BadHead(f"{source} is not what `log head --json` prints: {error}") from None


async def check(address: str, world: str | None = None, kept: Sequence[Head] = ()) -> Checked:
    """Check the chain of events, and that heads kept elsewhere still stand in it."""
    async with reading(address) as log:
        return await checked(log, world, kept)


async def checked(log: Log, world: str | None = None, kept: Sequence[Head] = ()) -> Checked:
    ends = {one.name: one.head for one in await log.worlds()}
    found = await verify(log, world)
    lost = [fault for head in kept if (fault := await _lost(log, head))]
    unchecked = sum(max(0, ends.get(head.world, 0) - head.seq) for head in found.heads)
    faults = (*found.faults, *lost)
    return Checked(
        events=found.events,
        heads=found.heads,
        faults=faults,
        unchecked=unchecked,
        kept=len(kept),
        standing=len(kept) - len(lost),
    )


async def _lost(log: Log, head: Head) -> Fault | None:
    try:
        record = await log.lineage.record(head.world, head.seq)
    except NoSuchWorld:
        return Fault("the head that was kept is of a world that is gone", head.world, head.seq)
    if record is None:
        ends = (await log.lineage.find(head.world)).head
        return Fault(f"the head that was kept is gone: the world ends at #{ends}", *_at(head))
    if record.hash != head.hash:
        return Fault("another history: its hash is not the one that was kept", *_at(head))
    return None


def _at(head: Head) -> tuple[str, int]:
    return head.world, head.seq


async def write_export(
    address: str, file: Path, world: str | None = None, *, anyway: bool = False
) -> Copied:
    check_place(file)
    try:
        async with reading(address) as log:
            await _check_sound(log, address, file, world)
            header = await export_log(log, file, world)
    except (Damaged, NotALog) as error:
        if not anyway:
            raise
        async with salvaged(address, file) as (log, newest):
            if isinstance(error, NotALog) and not await log.worlds():
                raise
            return _saved(file, await export_readable(log, newest, file, world))
    return _copied(file, header)


async def write_backup(address: str, file: Path, *, anyway: bool = False) -> Copied:
    check_place(file)
    try:
        async with reading(address) as log:
            await _check_sound(log, address, file, None)
            header = await backup(log, file)
    except (Damaged, NotALog) as error:
        if not anyway:
            raise
        async with salvaged(address, file) as (log, newest):
            if isinstance(error, NotALog) and not await log.worlds():
                raise
            return _saved(file, await backup_readable(log, newest, file))
    return _copied(file, header)


async def _check_sound(log: Log, address: str, file: Path, world: str | None) -> None:
    faults = (await verify(log, world)).faults
    if faults:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults, the first"
        raise Damaged(
            f"{without_password(address)} has {count}: {faults[0]}; {file} was not written: "
            "--anyway saves what can still be read"
        )


async def read_export(address: str, file: Path) -> ImportResult:
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
    if str(file) == "-":
        raise BadArchive("- is no file: name the one to read, an export is not read from a pipe")
    if not file.is_file():
        raise BadArchive(f"{file}: there is no such file")
    if file_of(address) == file:
        raise BadAddress(f"{file} is named twice: the log comes first, then the export")


def _copied(file: Path, header: Header) -> Copied:
    events = sum(one.head - one.forked_at for one in header.worlds)
    worlds = {one.name: one.head for one in header.worlds}
    return Copied(file=str(file), worlds=worlds, events=events, size=file.stat().st_size)


def _saved(file: Path, saved: Salvaged) -> Copied:
    return Copied(
        file=str(file),
        worlds=saved.worlds,
        events=saved.events,
        size=file.stat().st_size,
        lost=tuple(map(str, saved.lost)),
    )
