"""Writing out what can still be read of a damaged log, with a list of what cannot.

An export holds every event that can be read, those behind a gap too. A backup is a log again, and a
log has no gaps: it holds each world up to its first one.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.eventlog.address import open_log
from whoknew.eventlog.archive import adopt, becoming, exporting, write_lines
from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import Damaged, LogError, UnknownKind
from whoknew.eventlog.exported import FORMAT, ExportPlace, Header, Owned
from whoknew.eventlog.log import Log
from whoknew.eventlog.portions import portions
from whoknew.eventlog.stores.store import Record, World


class Lost(Struct, frozen=True):
    """Events that are not in what was written, or are not what was hashed."""

    world: str
    first: int
    last: int
    what: str

    def __str__(self) -> str:
        span = f"#{self.first}" if self.first == self.last else f"#{self.first} to #{self.last}"
        return f"{self.world} {span}: {self.what}"


class Salvaged(Struct, frozen=True):
    """How many events of each world were written, and what was lost."""

    worlds: dict[str, int]
    events: int
    lost: tuple[Lost, ...]


@asynccontextmanager
async def salvaged(address: str, beside: Path) -> AsyncIterator[tuple[Log, Mapping[str, int]]]:
    """The log with whatever it still holds, and how far each world is known to have gone."""
    if "://" in address:
        async with open_log(address, read_only=True) as log:
            yield log, {one.name: one.head for one in await log.worlds()}
        return
    from whoknew.eventlog.stores.sqlite_salvage import salvage

    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=beside.parent) as folder:
        copy = Path(folder) / "log.db"
        newest = await asyncio.to_thread(salvage, Path(address), copy)
        async with open_log(copy, read_only=True) as log:
            yield log, newest


async def export_readable(
    log: Log, newest: Mapping[str, int], path: Path, world: str | None = None
) -> Salvaged:
    """Write every event that can be read as a line of JSON, by its world and seq."""
    reading = _Reading(log, newest)
    worlds = [one for one in await log.worlds() if world in (None, one.name)]
    with exporting(path) as file:
        file.write(msgspec.json.encode(Header(FORMAT, worlds)) + b"\n")
        for one in worlds:
            async for chunk in reading.events(one):
                await write_lines(file, chunk)
        return reading.outcome()


async def backup_readable(log: Log, newest: Mapping[str, int], path: Path) -> Salvaged:
    """Write a log of each world up to the first event that cannot be read."""
    reading = _Reading(log, newest, gaps=False)
    with becoming(path) as partial:
        async with open_log(partial) as copy:
            for one in await log.worlds():
                if not await _has_parent(copy, one):
                    reading.lose(one, one.forked_at + 1, one.head, "its parent is lost before that")
                    continue
                async for chunk in reading.events(one):
                    await adopt(copy, chunk, {one.name: one})
        return reading.outcome()


async def _has_parent(copy: Log, world: World) -> bool:
    if world.parent is None:
        return world.forked_at == 0
    parent = await copy.store.find(world.parent)
    return parent is not None and parent.forked_at < world.forked_at <= parent.head


class _Reading:
    """Reads worlds event by event, and notes what it could not read."""

    def __init__(self, log: Log, newest: Mapping[str, int], *, gaps: bool = True) -> None:
        self._log, self._newest, self._gaps = log, newest, gaps
        self._counts: dict[str, int] = {}
        self._lost: list[Lost] = []

    def outcome(self) -> Salvaged:
        """What came of it; where not even a trace was found, an error rather than an empty file."""
        if not self._lost and not any(self._counts.values()):
            raise Damaged(
                "nothing of the log could be read any more, and what was in it is not known: "
                "restore a backup"
            )
        return Salvaged(self._counts, sum(self._counts.values()), tuple(self._lost))

    def lose(self, world: World, first: int, last: int, what: str) -> None:
        if first <= last:
            self._lost.append(Lost(world.name, first, last, what))

    async def events(self, world: World) -> AsyncIterator[list[Owned]]:
        seq, previous = world.forked_at, await self._before(world)
        end = max(world.head, self._newest.get(world.name, 0))
        async for records in portions(self._log.store, world.name, seq, world.head):
            chunk: list[Owned] = []
            for record in records:
                whole = self._is_readable(world, record)
                if not self._gaps and (record.seq != seq + 1 or not whole):
                    yield self._counted(world, chunk)
                    self.lose(world, seq + 1, end, "missing, or behind what is missing")
                    return
                self.lose(world, seq + 1, record.seq - 1, "missing")
                if not whole:
                    self.lose(world, record.seq, record.seq, "it cannot be read any more")
                else:
                    self._check(world, record, previous if record.seq == seq + 1 else None)
                    chunk.append((world.name, record))
                seq, previous = record.seq, record.hash
            yield self._counted(world, chunk)
        self.lose(world, seq + 1, end, "missing")

    def _counted(self, world: World, chunk: list[Owned]) -> list[Owned]:
        self._counts[world.name] = self._counts.get(world.name, 0) + len(chunk)
        return chunk

    def _check(self, world: World, record: Record, previous: bytes | None) -> None:
        if previous is not None and link(previous, record.body) != record.hash:
            what = "it is there, but is not what was hashed"
            self.lose(world, record.seq, record.seq, what)

    async def _before(self, world: World) -> bytes | None:
        """The hash on which a world's first own event stands, where it is known."""
        if world.parent is None:
            return GENESIS
        try:
            record = await self._log.lineage.record(world.parent, world.forked_at)
        except LogError:
            return None
        return record.hash if record else None

    def _is_readable(self, world: World, record: Record) -> bool:
        try:
            place = msgspec.json.decode(record.body, type=ExportPlace)
        except ValueError:
            return False
        with suppress(UnknownKind):
            try:
                self._log.codec.decode(record.body)
            except Damaged:
                return False
        return (place.world, place.seq) == (world.name, record.seq) and b"\n" not in record.body
