"""The landmarks of a world: as the store has them, whoever asks, and whatever was appended since."""

from __future__ import annotations

import random

import pytest
from small_worlds import begun, elsinore, narrated

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.event import Event
from whoknew.eventlog.fork import FOREVER
from whoknew.eventlog.kind import LANDMARK
from whoknew.eventlog.kinds import MarkPlaced


def marked(name: str) -> list[Draft]:
    return [*narrated(1), Draft(MarkPlaced(name))]


async def read(log: Log, world: str, upto: int) -> list[Event]:
    """What has to come back: of all that happened what is a landmark."""
    events = [one async for one in Log(log.store).read(world, "#0", f"#{upto}")]
    return [one for one in events if one.body.landmark == LANDMARK]


async def head(log: Log, world: str) -> int:
    return (await log.lineage.find(world)).head


@pytest.mark.parametrize("seed", range(4))
async def test_they_are_those_of_all_that_happened(log: Log, seed: int) -> None:
    """Asked for at any seq, in between appends, of worlds and their forks, by who wrote them and by another."""
    rng = random.Random(seed)
    await elsinore(log)
    await begun(log, "w", count=5)
    worlds, other = ["elsinore", "w"], Log(log.store)
    for step in range(30):
        world = rng.choice(worlds)
        match rng.randrange(4):
            case 0:
                await log.append(world, narrated(rng.randrange(1, 4)))
            case 1:
                await log.append(world, marked(f"mark {step}"))
            case 2 if len(worlds) < 6:
                at = rng.randrange(1, 1 + await head(log, world))
                await log.fork(world, child := f"{world}-{step}", f"#{at}")
                worlds.append(child)
            case _:
                upto = rng.randrange(1 + await head(log, world))
                for one in rng.sample((log, other), 2):
                    assert await one.landmarks(world, upto) == await read(log, world, upto)
    for world in worlds:
        upto = await head(log, world)
        for one in (log, other):
            assert await one.landmarks(world, upto) == await read(log, world, upto)


async def test_who_asks_past_the_end_is_told_later_of_what_came_since(log: Log) -> None:
    await begun(log, "w")
    other = Log(log.store)
    for one in (log, other):
        before = await one.landmarks("w", FOREVER)
        assert before == await read(log, "w", await head(log, "w"))
        await log.append("w", marked(f"{len(before)}"))
        after = await one.landmarks("w", FOREVER)
        assert len(after) == len(before) + 1


async def test_who_is_given_them_may_do_with_them_what_it_likes(log: Log) -> None:
    await elsinore(log)
    first = await log.landmarks("elsinore", FOREVER)
    kept = [*first]
    first.clear()
    assert await log.landmarks("elsinore", FOREVER) == kept != []


async def test_of_more_worlds_than_are_kept_all_are_told(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whoknew.eventlog.landmarks.KEPT", 3)
    for number in range(8):
        await begun(log, f"w{number}")
        await log.append(f"w{number}", marked("night"))
    for number in range(8):
        world = f"w{number}"
        await log.append(world, marked("day"))
        assert (await log.cursor(world, "day")).seq == await head(log, world)
        assert await log.landmarks(world, FOREVER) == await read(log, world, await head(log, world))


async def test_what_is_appended_while_they_are_read_is_told_once(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store has what was appended before this process hears of it."""
    await elsinore(log)
    there = log.lineage.landmarks
    other = Log(log.store)
    await other.landmarks("elsinore", await head(log, "elsinore"))

    async def appended_to(world: str, after: int, upto: int) -> list[bytes]:
        await log.append(world, marked("meanwhile"))
        return await there(world, after, upto)

    known = await log.landmarks("elsinore", await head(log, "elsinore"))
    monkeypatch.setattr(log.lineage, "landmarks", appended_to)
    while_read = await log.landmarks("elsinore", FOREVER)
    monkeypatch.undo()
    assert [one.seq for one in while_read][: len(known)] == [one.seq for one in known]
    for one in (log, other):
        every = await read(log, "elsinore", await head(log, "elsinore"))
        assert await one.landmarks("elsinore", FOREVER) == every
        assert (await one.cursor("elsinore", "meanwhile")).seq == every[-1].seq
