"""A world as a table in a file: `whoknew export csv`."""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.logs.csv_cell import harmless
from whoknew.engine.opening import check_new, reading
from whoknew.eventlog import Director, Event, Log, View
from whoknew.eventlog.archive import becoming


class ExportedRows(Struct, frozen=True):
    """How many events went into a file, of a world up to a seq: all, or those of one character."""

    file: str
    world: str
    cursor: int
    events: int
    character: str | None = None


async def export_csv(
    address: str, world: str, file: Path, at: str = "end", character: str | None = None
) -> ExportedRows:
    """What had happened, an event a row, with the past that a fork shares; for a character, its
    view of it."""
    check_new(file)
    async with reading(address) as log:
        reader = await _reader(log, world, at, character)
        rows = _of_view(reader) if isinstance(reader, View) else _of_all(reader)
        with becoming(file) as partial, partial.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            async for row in rows:
                writer.writerow(row)
    return ExportedRows(str(file), world, reader.cursor.seq, len(reader), character)


async def _reader(log: Log, world: str, at: str, character: str | None) -> View | Director:
    if character is None:
        return await log.director(world, at)
    return await log.view(world, character, at)


async def _of_view(view: View) -> AsyncIterator[tuple[object, ...]]:
    """Nothing that would tell how much happened unseen (law 4): events are numbered as they stand in
    the view, and there are no episodes, no turns and no other witnesses."""
    yield "number", "at", "actor", "kind", "place", "text"
    number = 0
    async for event in view:
        number += 1
        yield number, event.at.isoformat(), *_shown(event)


async def _of_all(director: Director) -> AsyncIterator[tuple[object, ...]]:
    yield (
        *("seq", "at", "recorded", "episode", "turn", "actor", "kind", "place", "text"),
        *("witnesses", "about", "cause", "body"),
    )
    async for event in director:
        yield (
            event.seq,
            event.at.isoformat(),
            event.recorded.isoformat(),
            event.episode,
            event.turn,
            *_shown(event),
            _json(event.witnesses),
            _json(event.about),
            event.cause,
            _json(event.body),
        )


def _shown(event: Event) -> tuple[object, ...]:
    kind = str(event.body.__struct_config__.tag)
    return harmless(event.actor), kind, harmless(event.place), harmless(event.body.words)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
