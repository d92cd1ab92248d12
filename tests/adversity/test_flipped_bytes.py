"""One byte of a log's file is another: it is found and named as damage, or changes nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from adversity.test_damage import written
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import PATIENCE

from whoknew.engine.logs import info as inventory
from whoknew.engine.logs.export import write_export
from whoknew.engine.logs.head import heads
from whoknew.engine.logs.verify import Checked, check
from whoknew.eventlog import Event, Log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.salvage import export_readable, salvaged
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(written(tmp_path_factory.mktemp("sound")))


async def every_event(path: Path, driver: Driver) -> list[Event]:
    async with Log(SqliteStore(path, read_only=True, driver=driver)) as log:
        return [event for world in await log.worlds() async for event in log.read(world.name)]


async def every_fold(path: Path) -> None:
    """What everybody witnessed and knows, and what all worlds recorded in their order."""
    async with Log(SqliteStore(path, read_only=True)) as log:
        for world in await log.worlds():
            knowledge = await log.knowledge(world.name)
            for character in knowledge.characters:
                await (await log.view(world.name, character)).recall("ghost king")
        async for _ in log.read_all():
            pass


async def what_is_left(path: Path, copy: Path) -> None:
    async with salvaged(str(path), copy) as (log, newest):
        await export_readable(log, newest, copy)


async def looked_at(path: Path, folder: Path) -> list[str]:
    """What is said of a file by all that reads logs. Anything but an error of the log is raised."""
    said = []
    copy, left = folder / "copy.jsonl", folder / "left.jsonl"
    copy.unlink(missing_ok=True)
    left.unlink(missing_ok=True)
    for looking in (
        lambda: check(str(path)),
        lambda: heads(str(path)),
        lambda: inventory.info(str(path)),
        lambda: write_export(str(path), copy),
        lambda: every_event(path, "sqlite3"),
        lambda: every_event(path, "apsw"),
        lambda: every_fold(path),
        lambda: what_is_left(path, left),
    ):
        try:
            async with asyncio.timeout(PATIENCE):
                found = await looking()
        except LogError as error:
            said.append(f"{type(error).__name__}: {error}")
        else:
            if isinstance(found, Checked):
                said += [f"Damaged: {fault}" for fault in found.faults]
    return said


def places(data: bytes) -> Iterator[int]:
    """Where a byte of the file matters: the header, tables, keys, events, and not what is empty."""
    yield from range(100)
    yield from (found.start() for found in re.finditer(rb"[^\0]", data))


@given(st.data(), st.integers(1, 255))
@settings(max_examples=100)
async def test_a_flipped_byte_is_named_as_damage_by_whatever_reads_it(
    sound: Path, data: st.DataObject, by: int
) -> None:
    whole = bytearray(sound.read_bytes())
    whole[data.draw(st.sampled_from(list(places(whole))))] ^= by
    path = sound.with_name("flipped.db")
    path.write_bytes(whole)
    for said in await looked_at(path, sound.parent):
        assert "later version" not in said and "upgrade" not in said, said
        assert said.startswith("Damaged"), said
