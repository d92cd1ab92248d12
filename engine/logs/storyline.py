"""A world as a storyline in a folder, beside the file of casts: `whoknew export storyline`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.opening import check_new, reading
from whoknew.eventlog.archive import becoming
from whoknew.worlds.file_names import as_file_name
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.storyline import CHARACTERS, Cast, WrittenStory, casts_in, story_of
from whoknew.worlds.importers.storyline.form import file_name, work_of


class ExportedStory(Struct, frozen=True):
    """What an export came to."""

    file: str
    world: str
    titles: int
    actions: int
    major: int
    remarks: tuple[Remark, ...]


async def export_storyline(address: str, world: str, folder: Path) -> ExportedStory:
    """Write a world as a storyline into a folder, and who its major characters are into the file of casts
    there, to which it is added."""
    async with reading(address) as log:
        events = await (await log.director(world)).events()
    written = await asyncio.to_thread(story_of, world, events)
    file = folder / file_name(as_file_name(written.work))
    await asyncio.to_thread(_write, file, written)
    return ExportedStory(
        file=str(file),
        world=world,
        titles=len(written.story),
        actions=sum(map(len, written.story.values())),
        major=len(written.cast.major),
        remarks=written.remarks,
    )


def _write(file: Path, written: WrittenStory) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    check_new(file)
    casts: Mapping[str, Cast] = {**casts_in(file.parent), work_of(file): written.cast}
    with becoming(file) as partial:
        partial.write_bytes(_json(written.story))
    added = file.with_name(f".{CHARACTERS}")
    added.write_bytes(_json(casts))
    added.replace(file.with_name(CHARACTERS))


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
