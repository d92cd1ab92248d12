"""What an append expects, keys, and cancelling."""

from __future__ import annotations

import asyncio
from functools import partial
from hashlib import shake_256

import pytest
from small_worlds import NIGHT, begun, narrated, said, seqs_of
from store_places import Place, log_at

from whoknew.eventlog import ABSENT, ANY, Draft, Log, exactly
from whoknew.eventlog.errors import (
    Conflict,
    KeyReused,
    Refused,
)
from whoknew.eventlog.kinds import ArmAdded, Narrated, WorldOpened

# what an append expects


async def test_a_stale_writer_loses_alone(log: Log) -> None:
    await begun(log)
    stale = log.append("w", narrated(1, "stale"), expect=exactly(1))
    others = [log.append("w", narrated(1), expect=exactly(1)), begun(log, "v")]
    results = await asyncio.gather(others[0], stale, others[1], return_exceptions=True)
    assert [isinstance(one, Exception) for one in results] == [False, True, False]
    assert isinstance(results[1], Conflict)
    assert (results[1].expected, results[1].actual) == (1, 2)
    assert [event.body.words async for event in log.read("w", "#1")] == ["0"]


async def test_a_world_that_must_not_exist_is_made_once(log: Log) -> None:
    drafts = [Draft(WorldOpened(), NIGHT)]
    tries = [log.append("w", drafts, expect=ABSENT) for _ in range(5)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [isinstance(one, Conflict) for one in results] == [False, True, True, True, True]
    assert await seqs_of(log.read("w")) == [1]


async def test_writers_that_take_any_head_all_get_in(log: Log) -> None:
    await begun(log)
    results = await asyncio.gather(*(log.append("w", narrated(3), expect=ANY) for _ in range(50)))
    assert sorted(one.first for one in results) == list(range(2, 152, 3))
    assert await seqs_of(log.read("w")) == list(range(1, 152))


async def test_a_batch_is_never_mixed_with_another(log: Log) -> None:
    await begun(log)
    await asyncio.gather(*(log.append("w", narrated(4, f"{n}.")) for n in range(30)))
    words = [event.body.words async for event in log.read("w", "#1")]
    for start in range(0, 120, 4):
        writer = words[start].partition(".")[0]
        assert words[start : start + 4] == [f"{writer}.{n}" for n in range(4)]


async def test_an_expected_head_of_a_missing_world_is_a_conflict(log: Log) -> None:
    with pytest.raises(Conflict, match="it does not exist"):
        await log.append("w", [Draft(WorldOpened(), NIGHT)], expect=exactly(3))
    assert await log.worlds() == []


async def test_after_a_conflict_one_can_read_on_and_append(log: Log) -> None:
    await begun(log, count=2)
    with pytest.raises(Conflict) as caught:
        await log.append("w", narrated(1), expect=exactly(1))
    appended = await log.append("w", narrated(1), expect=exactly(caught.value.actual))
    assert appended.first == 3


# keys


async def test_the_same_batch_under_its_key_is_written_once(log: Log) -> None:
    await begun(log)
    first = await log.append("w", narrated(3), key="k")
    await log.append("w", narrated(1))
    assert await log.append("w", narrated(3), key="k") == first
    assert (await log.head("w")).seq == 5


async def test_the_same_batch_sent_at_once_is_written_once(log: Log) -> None:
    await begun(log)
    results = await asyncio.gather(*(log.append("w", narrated(2), key="k") for _ in range(10)))
    assert len({one.hash for one in results}) == 1
    assert (await log.head("w")).seq == 3


async def test_a_batch_that_opens_its_world_can_be_sent_again(log: Log) -> None:
    drafts = [Draft(WorldOpened(), NIGHT)]
    first = await log.append("w", drafts, expect=ABSENT, key="k")
    assert await log.append("w", drafts, expect=ABSENT, key="k") == first


async def test_a_retry_gets_its_first_result_whatever_head_it_expected(log: Log) -> None:
    await begun(log)
    first = await log.append("w", narrated(1), expect=exactly(1), key="k")
    assert await log.append("w", narrated(1), expect=exactly(1), key="k") == first


@pytest.mark.parametrize(
    "other",
    [
        narrated(1),
        narrated(3),
        narrated(2, "other"),
        [*narrated(1), Draft(Narrated("1"), place="p")],
    ],
)
async def test_a_key_with_other_content_is_refused(log: Log, other: list[Draft]) -> None:
    await begun(log)
    await log.append("w", narrated(2), key="k")
    with pytest.raises(KeyReused, match="key 'k' was used in 'w' from #2 on, for other content"):
        await log.append("w", other, key="k")
    assert (await log.head("w")).seq == 3


async def test_a_retry_is_known_by_what_is_written_of_it(place: Place) -> None:
    """A tuple among settings comes back as a list."""
    arm = [Draft(ArmAdded("a", "d", {"aspects": ("one", "two"), "words": 3}))]
    async with log_at(place) as log:
        await begun(log)
        first = await log.append("w", arm, key="k")
        assert await log.append("w", arm, key="k") == first
    async with log_at(place) as log:
        assert await log.append("w", arm, key="k") == first


async def test_a_key_outlives_the_process(place: Place) -> None:
    async with log_at(place) as log:
        await begun(log)
        first = await log.append("w", narrated(2), key="k")
    async with log_at(place) as log:
        assert await log.append("w", narrated(2), key="k") == first
        with pytest.raises(KeyReused):
            await log.append("w", narrated(3), key="k")


async def test_two_worlds_may_use_the_same_key(log: Log) -> None:
    await begun(log, "w")
    await begun(log, "v")
    assert (await log.append("w", narrated(1), key="k")).world == "w"
    assert (await log.append("v", narrated(2), key="k")).world == "v"


async def test_batches_under_different_keys_side_by_side_are_told_apart(log: Log) -> None:
    await begun(log)
    first = await log.append("w", narrated(2), key="a")
    second = await log.append("w", narrated(2), key="b")
    assert await log.append("w", narrated(2), key="b") == second
    assert await log.append("w", narrated(2), key="a") == first


async def test_a_key_is_free_again_when_its_batch_was_refused(log: Log) -> None:
    await begun(log)
    with pytest.raises(Refused):
        await log.append("w", [said("nobody", "x")], key="k")
    assert (await log.append("w", narrated(1), key="k")).first == 2


LONG = shake_256(b"a long key").hexdigest(50_000)
"""Digits that a database cannot compress until they fit into an index."""


@pytest.mark.parametrize("key", ["\0", "a\0b", LONG, "\ud800", "", " ", "🗝", "a\nb"])
async def test_whatever_the_key_only_its_own_append_can_fail(log: Log, key: str) -> None:
    await begun(log)
    mine, others = await asyncio.gather(
        log.append("w", narrated(1), key=key), begun(log, "v"), return_exceptions=True
    )
    assert others is None
    assert not isinstance(mine, Exception) or isinstance(mine, Refused), mine
    assert (await log.append("w", narrated(1))).last in (2, 3)


# cancelling


async def test_a_cancelled_append_is_written_all_the_same(log: Log) -> None:
    await begun(log)
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(log.append("w", narrated(2)))
        await asyncio.sleep(0)  # it has been handed in
        task.cancel()
    after = await log.append("w", narrated(1))
    assert after.first == 4


async def test_a_cancelled_append_under_a_key_can_be_asked_for_again(log: Log) -> None:
    await begun(log)
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(log.append("w", narrated(2), key="k"))
        await asyncio.sleep(0)
        task.cancel()
    assert (await log.append("w", narrated(2), key="k")).first == 2
    assert (await log.head("w")).seq == 3


async def test_who_is_cancelled_hears_of_it_once_it_is_written(log: Log) -> None:
    await begun(log)
    written: list[bool] = []
    then = partial(written.append, True)
    task = asyncio.ensure_future(log.append("w", narrated(2), written=then))
    await asyncio.sleep(0)
    if task.cancel():
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not task.cancel() and written == [True]
    assert (await log.head("w")).seq == 3
    with pytest.raises(Conflict):
        await log.append("w", narrated(1), expect=ABSENT, written=then)
    assert written == [True]


async def test_cancelling_one_of_a_group_leaves_the_others_be(log: Log) -> None:
    await begun(log)
    tasks = [asyncio.ensure_future(log.append("w", narrated(1, f"{n}."))) for n in range(20)]
    await asyncio.sleep(0)
    for task in tasks[::3]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    kept = [one for number, one in enumerate(results) if number % 3]
    assert not any(isinstance(one, BaseException) for one in kept)
    await log.append("w", narrated(1))
    assert await seqs_of(log.read("w")) == list(range(1, 23))


async def test_what_is_queued_is_written_before_the_log_closes(place: Place) -> None:
    async with log_at(place) as log:
        await begun(log)
        tasks = [asyncio.ensure_future(log.append("w", narrated(1))) for _ in range(30)]
        await asyncio.sleep(0)
    assert [(await task).first for task in tasks] == list(range(2, 32))
    async with log_at(place) as log:
        assert (await log.head("w")).seq == 31
