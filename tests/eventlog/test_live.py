"""What is kept in memory never changes what is read: only how long it takes."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from small_worlds import NIGHT, opened, said
from store_places import Place, log_at

from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import CharacterAdded, Narrated
from whoknew.eventlog.live import LiveWorlds

BOUNDS = [(0, 1), (1, 1), (3, 1), (7, 2), (50, 3), (1000, 100)]

WORLDS = ("a", "b", "c")


async def grow(log: Log, world: str, rounds: int) -> None:
    for number in range(rounds):
        told = (1, 3) if number % 4 == 0 else ()
        await log.append(
            world,
            [
                said("A", f"ghost {number}", "B", about=told),
                Draft(Narrated("unseen")),
                said("B", f"king {number}"),
            ],
        )


async def seen(log: Log, world: str, at: str) -> Any:
    view = await log.view(world, "B", at)
    knowledge = await log.knowledge(world, at)
    return (
        list(view.seqs()),
        await view.events(),
        await view.last(3),
        [event async for event in view],
        await view.recall("ghost 3 king"),
        knowledge.matrix(range(1, 20)),
        [event.seq async for event in log.read(world, "#2", at)],
        [event.seq async for event in log.read(world, "#2", at, backward=True)],
    )


async def story(log: Log) -> list[Any]:
    """Worlds that grow by turns and are looked at meanwhile: all that was seen."""
    looks = []
    for world in WORLDS:
        await log.append(world, opened("A", "B"))
    for step in range(1, 5):
        for world in WORLDS:
            await grow(log, world, 3)
            looks += [await seen(log, world, at) for at in ("#3", f"#{3 + 4 * step}", "end")]
    await log.fork("a", "f", "#9")
    await log.append("f", [said("A", "ghost of a fork", "B", about=[5])])
    looks.append(await seen(log, "f", "end"))
    return looks


@pytest.mark.parametrize(("keep_events", "keep_worlds"), BOUNDS)
async def test_bounds_on_memory_change_nothing_that_is_seen(
    place: Place, keep_events: int, keep_worlds: int
) -> None:
    async with log_at(place) as log:
        wanted = strip(await story(log))
    place.renew()
    async with log_at(place, keep_events=keep_events, keep_worlds=keep_worlds) as log:
        assert strip(await story(log)) == wanted


def strip(looks: list[Any]) -> list[Any]:
    """Without the wall clock, which ran on between two tellings."""
    return [
        [[one.draft for one in part] if _events(part) else part for part in look] for look in looks
    ]


def _events(part: Any) -> bool:
    return bool(part) and hasattr(part[0], "draft")


@pytest.mark.parametrize(("keep_events", "keep_worlds"), [*BOUNDS, (0, 0), (5, 0)])
async def test_a_view_outlives_its_world_in_memory(
    place: Place, keep_events: int, keep_worlds: int
) -> None:
    async with log_at(place, keep_events=keep_events, keep_worlds=keep_worlds) as log:
        await log.append("a", opened("A", "B"))
        await grow(log, "a", 5)
        view = await log.view("a", "B")
        before = await view.events(), await view.recall("king 2")
        for number in range(5):
            await log.append(f"other {number}", opened("A"))
            await log.view(f"other {number}", "A")
        await grow(log, "a", 5)
        assert (await view.events(), await view.recall("king 2")) == before
        assert len(await log.view("a", "B")) == 20


async def test_a_world_first_looked_at_in_the_past_is_whole_later(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    await grow(log, "w", 5)
    cold = Log(log.store)
    for at, count in [("#4", 1), ("#9", 4), ("#6", 2), ("end", 10), ("#4", 1)]:
        assert len(await cold.view("w", "B", at)) == count


async def test_a_world_looked_at_in_the_past_can_be_appended_to(place: Place) -> None:
    async with log_at(place) as log:
        await log.append("w", opened("A", "B"))
        await grow(log, "w", 5)
    async with log_at(place) as log:
        assert len(await log.view("w", "B", "#6")) == 2
        await grow(log, "w", 1)
        assert len(await log.view("w", "B")) == 12
        assert [event.seq for event in await (await log.view("w", "B")).last(3)] == [18, 19, 21]


async def test_a_character_added_after_the_first_look_is_there(place: Place) -> None:
    async with log_at(place) as log:
        await log.append("w", opened("A"))
        await log.append("w", [Draft(Narrated("x"))])
    async with log_at(place) as log:
        await log.view("w", "A", "#2")
        await log.append("w", [Draft(CharacterAdded("C")), said("C", "here")])
        assert len(await log.view("w", "C")) == 1
        assert (await log.knowledge("w", "#3")).characters == ("A",)
        assert (await log.knowledge("w")).characters == ("A", "C")


async def test_what_another_process_wrote_is_seen(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await mine.append("w", opened("A", "B"))
        assert len(await mine.view("w", "B")) == 0
        await grow(theirs, "w", 3)
        assert len(await mine.view("w", "B")) == 6
        await grow(mine, "w", 1)
        assert len(await mine.view("w", "B")) == 8
        assert len(await theirs.view("w", "B")) == 8
        events = [event.seq async for event in mine.read("w")]
        assert events == list(range(1, 16))


async def test_a_story_may_begin_at_any_world(log: Log) -> None:
    await log.append("w", opened("A", at=NIGHT))
    assert (await log.cursor("w")).seq == 2


def test_room_is_made_little_by_little() -> None:
    """To let go of very many events at once would hold up everybody."""
    worlds = LiveWorlds(keep_worlds=5, keep_events=10_000)
    held = []
    for seq in range(1, 8001):
        for world in WORLDS:
            now = datetime(2000, 1, 1)
            worlds.extend(world, [Event(world, seq, now, now, Narrated("rain"))], [400])
        held.append(sum(len(one.newest) for one in map(worlds.get, WORLDS) if one))
    assert max(held) <= 10_000
    assert max(before - after for before, after in pairwise(held)) <= 2_000
    assert held[-1] >= 8_000


async def test_long_events_take_no_more_room_than_short_ones(place: Place) -> None:
    """What is no longer at hand is read from the store."""
    async with log_at(place, keep_events=1_000) as small:
        await small.append("w", opened("A", "B"))
        for number in range(60):
            await small.append("w", [said("A", f"{number} " + "x" * 100_000, "B")])
        live = small._lives.get("w")
        assert live is not None
        assert 5 <= len(live.newest) <= 10
        first = await small.view("w", "B")
        texts = [event.body.words.split()[0] for event in await first.events()]
        assert texts[-60:] == [str(number) for number in range(60)]
        assert [one.event.seq async for one in small.read_all()] == list(range(1, 64))


async def test_what_is_new_in_a_log_just_opened_is_what_it_reads(log: Log) -> None:
    """A view's events are taken from what was folded for it, or read anew: wherever it ends, and across
    a fork."""
    await log.append("w", opened("A", "B"))
    await grow(log, "w", 8)
    await log.fork("w", "child", "#9")
    await grow(log, "child", 4)
    for world in ("w", "child"):
        seen = [one async for one in log.read(world) if "B" in one.witnesses]
        cold = Log(log.store)
        for at in ("#5", "#9", "#11", "end", "#7", "end"):
            view = await cold.view(world, "B", at)
            for after in (0, 1, 3, len(view) - 1, len(view)):
                assert await view.events(after) == seen[after : len(view)]
            if len(view) > 4:
                assert await view.pick([2, 4]) == [seen[1], seen[3]]
