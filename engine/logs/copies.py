"""What copying a log into a file comes to; a damaged log is copied only where that is asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from msgspec import Struct

from whoknew.engine.opening import check_place, reading
from whoknew.eventlog import Log, verify
from whoknew.eventlog.counted import counted
from whoknew.eventlog.errors import Damaged, NotALog
from whoknew.eventlog.exported import Header
from whoknew.eventlog.salvage import Salvaged, salvaged
from whoknew.eventlog.shown_address import without_password


class Copied(Struct, frozen=True, kw_only=True):
    """Which worlds went into a file, each up to which seq, and how large it is. Of a log that is
    damaged, how many events of each were saved, and what is `lost`."""

    file: str
    worlds: dict[str, int]
    events: int
    size: int
    lost: tuple[str, ...] = ()


Write = Callable[[Log, Path, str | None], Awaitable[Header]]
Save = Callable[[Log, Mapping[str, int], Path, str | None], Awaitable[Salvaged]]


async def write_copy(
    address: str, file: Path, world: str | None, write: Write, save: Save, *, anyway: bool
) -> Copied:
    """Check a log, and write it to a file; of one that is damaged, what can still be read, where that
    is asked for."""
    check_place(file)
    try:
        async with reading(address) as log:
            return await sound_copy(log, address, file, world, write)
    except (Damaged, NotALog) as error:
        if not anyway:
            raise
        async with salvaged(address, file) as (log, newest):
            if isinstance(error, NotALog) and not await log.worlds():
                raise
            return _saved(file, await save(log, newest, file, world))


async def sound_copy(log: Log, address: str, file: Path, world: str | None, write: Write) -> Copied:
    """Check an open log, or a world of it, and write that to a file."""
    await _check_sound(log, address, file, world)
    return _copied(file, await write(log, file, world))


async def _check_sound(log: Log, address: str, file: Path, world: str | None) -> None:
    faults = (await verify(log, world)).faults
    if faults:
        first, *others = faults
        count = counted(len(faults), "fault") + (", the first" if others else "")
        raise Damaged(
            f"{without_password(address)} has {count}: {first}; {file} was not written: "
            "--anyway saves what can still be read"
        )


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
