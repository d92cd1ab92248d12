"""Law 12: one changed byte is found and named, on every store."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small_worlds import opened
from store_places import Place, log_at

from whoknew.eventlog import Draft, Log, verify
from whoknew.eventlog.kinds import (
    Acted,
    Narrated,
)
from whoknew.eventlog.stores.store import START, Batch, Record, World
from whoknew.eventlog.stores.volatile import VolatileStore

EXAMPLES = {"volatile": 120, "sqlite": 50, "apsw": 50, "postgres": 20}
"""How many changes are tried, by what opening a store costs."""


async def arrivals() -> list[tuple[World, Record]]:
    """The records of a small log that has a fork and a key, each with its world."""
    async with Log(VolatileStore()) as log:
        await log.append("w", opened("Ana", "Ødön"))
        await log.fork("w", "f", "#2")
        said = [Draft(Acted("Boo."), actor="Ana", witnesses=("Ana",)), Draft(Narrated("It is."))]
        await log.append("f", said, key="k")
        worlds = {world.name: world for world in await log.worlds()}
        page = await log.store.page(START, 100)
        return [(worlds[arrival.world], arrival.record) for arrival in page]


def test_a_changed_byte_is_found_and_named(kind: str, place: Place) -> None:
    with asyncio.Runner() as runner:
        written = runner.run(arrivals())

        @settings(max_examples=EXAMPLES[kind])
        @given(st.sampled_from(range(len(written))), st.data())
        def found(number: int, data: st.DataObject) -> None:
            world, record = written[number]
            part = data.draw(st.sampled_from(["body", "hash"]))
            where = data.draw(st.integers(0, len(getattr(record, part)) - 1), "byte")
            by = data.draw(st.integers(1, 255), "by")
            changed = replace(record, **{part: bent(getattr(record, part), where, by)})
            place.renew()
            copied = [*written[:number], (world, changed), *written[number + 1 :]]
            faults = runner.run(faults_of(log_at(place), copied))
            assert (world.name, record.seq) in faults
            assert [seq for name, seq in faults if name == world.name] == [record.seq]

        found()


def test_a_time_that_lost_its_zone_where_a_fork_parts_is_damage(kind: str, place: Place) -> None:
    """So its fork is no later than it, nor earlier: the two cannot be compared."""
    with asyncio.Runner() as runner:
        written = runner.run(arrivals())
        place.renew()
        bent = [
            (world, replace(one, body=re.sub(rb'("recorded":"[^"]+)Z"', rb'\g<1>2"', one.body)))
            if (world.name, one.seq) == ("w", 2)
            else (world, one)
            for world, one in written
        ]
        assert bent != written
        faults = runner.run(faults_of(log_at(place), bent))
        assert ("w", 2) in faults


async def faults_of(log: Log, written: list[tuple[World, Record]]) -> list[tuple[Any, Any]]:
    """What is found wrong with a log of these records."""
    async with log:
        for world, record in written:
            opens = world if world.forked_at == record.seq - 1 else None
            batch = Batch(world.name, record.seq - 1, [record], opens)
            assert await log.store.commit([batch]) == [True]
        return [(fault.world, fault.seq) for fault in (await verify(log)).faults]


def bent(data: bytes, where: int, by: int) -> bytes:
    return data[:where] + bytes([data[where] ^ by]) + data[where + 1 :]
