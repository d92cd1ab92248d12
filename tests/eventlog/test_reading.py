"""Reading and following."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from small_worlds import NIGHT, begun, elsinore, narrated, said, seqs_of, taken
from waiting import PATIENCE

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.errors import Damaged, NoSuchWorld
from whoknew.eventlog.kinds import Narrated
from whoknew.eventlog.stores.store import Segment

# reading


@pytest.mark.parametrize(
    ("after", "upto", "wanted"),
    [
        ("#0", "end", range(1, 15)),
        ("E1", "end", range(10, 15)),
        ("#3", "E1.T2", range(4, 8)),
        ("#5", "#5", []),
        ("#9", "#5", []),
        ("end", "end", []),
    ],
)
async def test_a_read_gives_the_events_between_two_cursors(
    log: Log, after: str, upto: str, wanted: range
) -> None:
    await elsinore(log)
    for one in (log, Log(log.store)):
        assert await seqs_of(one.read("elsinore", after, upto)) == list(wanted)
        backward = one.read("elsinore", after, upto, backward=True)
        assert await seqs_of(backward) == list(wanted)[::-1]


async def test_a_long_world_is_read_page_by_page(log: Log) -> None:
    await begun(log, count=2500)
    for one in (log, Log(log.store)):
        assert await seqs_of(one.read("w")) == list(range(1, 2501))
        assert await seqs_of(one.read("w", backward=True)) == list(range(2500, 0, -1))


async def test_a_read_ends_where_the_log_ended_when_it_began(log: Log) -> None:
    await begun(log, count=3)
    found = []
    async for event in log.read("w"):
        found.append(event.seq)
        await log.append("w", narrated(1))
    assert found == [1, 2, 3]


async def test_several_worlds_are_read_together(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forks, too, and a long world in pieces: each as it is read by itself."""
    monkeypatch.setattr("whoknew.eventlog.log.PAGE", 7)
    for world, count in (("a", 30), ("b", 1), ("c", 9)):
        await begun(log, world)
        await log.append(world, narrated(count, world))
    await log.fork("a", "child", "#20")
    await log.append("child", narrated(3, "child"))
    await log.fork("child", "grandchild", "#22")
    asked = [("c", 2, 10), ("grandchild", 0, 23), ("b", 2, 2), ("a", 29, 31), ("child", 19, 24)]
    read = [(name, one) async for name, one in log.read_several(Segment(*one) for one in asked)]
    assert max(len(events) for _, events in read) == 7
    for world, after, upto in asked:
        found = [event for name, events in read if name == world for event in events]
        assert found == [one async for one in log.read(world, f"#{after}", f"#{upto}")]
    assert {name for name, _ in read} == {"a", "c", "grandchild", "child"}


async def test_what_is_not_there_of_several_is_told(log: Log) -> None:
    for world in ("a", "b"):
        await begun(log, world)
        await log.append(world, narrated(3))
    for far, why in (("a", "'a' #5"), ("b", "'b' #5")):
        asked = [Segment(world, 0, 5 if world == far else 4) for world in ("a", "b")]
        with pytest.raises(Damaged, match=why):
            await taken(log.read_several(asked), 2)
    for asked in (
        [("a", 0, 5), ("b", 4, 8)],
        [("a", 3, 5), ("b", 0, 4)],
        [("b", 0, 4), ("a", 0, 9)],
    ):
        with pytest.raises(Damaged, match="'a' #5"):
            await taken(log.read_several(Segment(*one) for one in asked), 2)
    with pytest.raises(NoSuchWorld):
        await taken(log.read_several([Segment("nowhere", 0, 3)]), 1)


async def test_of_names_that_no_world_can_have_none_is_found(log: Log) -> None:
    await begun(log, "a")
    assert list(await log.found(["a\0b", "a\ud800", "", " a", "a" * 201, "a"])) == ["a"]


async def test_all_worlds_are_read_in_the_order_of_recording(log: Log) -> None:
    await begun(log, "b", 2)
    await begun(log, "a", 1)
    await log.append("b", narrated(1))
    await log.fork("b", "c", "#2")
    found = [(placed.event.world, placed.event.seq) async for placed in log.read_all()]
    assert found == [("b", 1), ("b", 2), ("a", 1), ("b", 3), ("c", 3)]


async def test_reading_all_goes_on_from_any_position(log: Log) -> None:
    await begun(log, "a", 5)
    await begun(log, "b", 5)
    every = [placed async for placed in log.read_all()]
    for number, placed in enumerate(every, start=1):
        assert [one async for one in log.read_all(placed.position)] == every[number:]


# following


async def test_a_follower_gets_what_was_and_then_what_comes(log: Log) -> None:
    await begun(log, count=3)
    following = asyncio.ensure_future(taken(log.follow("w"), 6))
    await log.append("w", narrated(1))
    await log.append("w", narrated(2))
    assert [event.seq for event in await following] == [1, 2, 3, 4, 5, 6]


async def test_a_follower_starts_after_its_cursor(log: Log) -> None:
    await begun(log, count=5)
    assert [event.seq for event in await taken(log.follow("w", "#3"), 2)] == [4, 5]


async def test_no_follower_misses_or_repeats_while_writers_run(log: Log) -> None:
    """Followers begin at different moments, so that each hands over somewhere else."""
    await begun(log)
    total = 1 + 4 * 40

    async def write(writer: int) -> None:
        for number in range(40):
            await log.append("w", narrated(1, f"{writer}.{number}."))

    async with asyncio.TaskGroup() as tasks:
        for writer in range(4):
            tasks.create_task(write(writer))
        followers = []
        for _ in range(8):
            followers.append(tasks.create_task(taken(log.follow("w"), total)))
            await log.append("v", [Draft(Narrated("x"), NIGHT)])
    for follower in followers:
        assert [event.seq for event in follower.result()] == list(range(1, total + 1))


async def test_who_follows_all_misses_and_repeats_nothing_while_writers_run(log: Log) -> None:
    total = 3 * 30

    async def write(world: str) -> None:
        for number in range(30):
            await log.append(world, [Draft(Narrated(f"{number}"), NIGHT)])

    async def follow() -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        async with asyncio.timeout(PATIENCE), aclosing(log.follow_all()) as placed:  # type: ignore[type-var]
            while len(found) < total:
                one = await anext(placed)
                found.append((one.event.world, one.event.seq))
        return found

    async with asyncio.TaskGroup() as tasks:
        followers = [tasks.create_task(follow())]
        for world in ("a", "b", "c"):
            tasks.create_task(write(world))
        followers.append(tasks.create_task(follow()))
    for follower in followers:
        for world in ("a", "b", "c"):
            own = [seq for name, seq in follower.result() if name == world]
            assert own == list(range(1, 31))


async def test_a_follower_of_one_witness_gets_what_it_witnessed(log: Log) -> None:
    await elsinore(log)
    following = asyncio.ensure_future(taken(log.follow("elsinore", witness="Horatio"), 4))
    await log.append("elsinore", [said("Bernardo", "psst"), said("Bernardo", "Hey", "Horatio")])
    assert [event.seq for event in await following] == [8, 12, 13, 16]


async def test_a_follower_of_a_fork_crosses_the_seam(log: Log) -> None:
    await begun(log, count=3)
    await log.fork("w", "f", "#2")
    following = asyncio.ensure_future(taken(log.follow("f"), 4))
    await log.append("w", narrated(5, "parent"))
    await log.append("f", narrated(1, "child"))
    assert [(event.world, event.seq) for event in await following] == [
        ("w", 1),
        ("w", 2),
        ("f", 3),
        ("f", 4),
    ]


async def test_a_sleeping_follower_holds_nothing_and_wakes_to_all_of_it(log: Log) -> None:
    """It took one event and looks away; nothing is queued for it, and later it reads on."""
    await begun(log, count=2)
    sleeper = log.follow("w")
    assert (await anext(sleeper)).seq == 1
    for _ in range(20):
        await log.append("w", narrated(100))
    rest = await taken(sleeper, 2001)
    assert [event.seq for event in rest] == list(range(2, 2003))


async def test_a_follower_that_is_cancelled_leaves_nobody_waiting(log: Log) -> None:
    await begun(log)
    waiting = asyncio.ensure_future(taken(log.follow("w"), 2))
    while (await asyncio.wait([waiting], timeout=0.01))[0]:
        raise AssertionError("it had nothing to wait for")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await log.append("w", narrated(1))).first == 2


async def test_who_follows_a_world_that_is_not_there_is_told_so(log: Log) -> None:
    with pytest.raises(NoSuchWorld):
        await anext(log.follow("nowhere"))
