"""Group commit: one in flight, and what is queued meanwhile goes into the next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from time import monotonic
from typing import Any

import pytest
from waiting import PATIENCE

from whoknew.eventlog.chain import GENESIS
from whoknew.eventlog.errors import LogClosed, OutOfSpace
from whoknew.eventlog.stores import grouping as groups
from whoknew.eventlog.stores.grouping import ENOUGH, HEAVIEST, Grouping, Submission
from whoknew.eventlog.stores.store import Batch, Record, World
from whoknew.eventlog.stores.volatile import VolatileStore


class SlowStore(VolatileStore):
    """A volatile store whose commits end when they are let go, or fail as they are told."""

    commit_now = None

    def __init__(self) -> None:
        super().__init__()
        self.let_go = asyncio.Event()
        self.groups: list[int] = []
        self.started = asyncio.Event()
        self.failure: Exception | None = None

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        self.groups.append(len(batches))
        self.started.set()
        await self.let_go.wait()
        if self.failure:
            raise self.failure
        return await super().commit(batches)


class Heard:
    def __init__(self) -> None:
        self.committed: list[list[str]] = []
        self.lost: list[str] = []
        self.failures = 0

    def lose(self, world: str) -> None:
        self.lost.append(world)

    def hear(self, group: list[Submission]) -> None:
        self.committed.append([one.batch.world for one in group])

    def fail(self) -> None:
        self.failures += 1


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def grouping(store: SlowStore, heard: Heard) -> AsyncIterator[Grouping]:
    grouping = Grouping(store, heard.hear, heard.lose, heard.fail)
    yield grouping
    store.let_go.set()
    await grouping.close()


def opening(world: str) -> Batch:
    return Batch(world, 0, [Record(1, GENESIS, b"{}")], World(world, 0))


async def settled(*submissions: Submission) -> list[Any]:
    async with asyncio.timeout(PATIENCE):
        outcomes = [one.outcome for one in submissions]
        return await asyncio.gather(*outcomes, return_exceptions=True)


async def test_a_lone_batch_is_committed_at_once(store: SlowStore, grouping: Grouping) -> None:
    outcome = grouping.put(opening("w"), [])
    await store.started.wait()
    store.let_go.set()
    assert await settled(outcome) == [True]


async def test_what_comes_during_a_commit_goes_into_the_next(
    store: SlowStore, grouping: Grouping
) -> None:
    first = grouping.put(opening("a"), [])
    await store.started.wait()
    others = [grouping.put(opening(f"b{number}"), []) for number in range(20)]
    store.let_go.set()
    assert await settled(first, *others) == [True] * 21
    assert store.groups == [1, 20]


async def test_those_who_come_turn_by_turn_go_in_together_until_there_are_enough(
    store: SlowStore, grouping: Grouping
) -> None:
    store.let_go.set()
    outcomes = []
    for number in range(ENOUGH + 5):
        outcomes.append(grouping.put(opening(f"w{number}"), []))
        await asyncio.sleep(0)
    assert all(await settled(*outcomes))
    assert store.groups[0] == ENOUGH


async def test_what_weighs_too_much_for_one_commit_goes_into_several(
    store: SlowStore, grouping: Grouping
) -> None:
    heavy = bytes(HEAVIEST // 2)
    store.let_go.set()
    outcomes = [
        grouping.put(Batch(name, 0, [Record(1, GENESIS, heavy)], World(name, 0)), [])
        for name in "abcdef"
    ]
    assert await settled(*outcomes) == [True] * 6
    assert store.groups == [2, 2, 2]


async def test_it_is_told_which_went_in_before_who_waits(
    store: SlowStore, grouping: Grouping, heard: Heard
) -> None:
    store.let_go.set()
    outcomes = [grouping.put(opening(name), []) for name in ("a", "b", "a")]
    known: list[list[list[str]]] = []
    outcomes[0].outcome.add_done_callback(lambda _: known.append(list(heard.committed)))
    assert await settled(*outcomes) == [True, True, False]
    assert heard.committed == [["a", "b"]]
    assert heard.lost == ["a"]
    assert known == [[["a", "b"]]]


async def test_a_failed_commit_fails_all_that_was_queued_on_top(
    store: SlowStore, grouping: Grouping, heard: Heard
) -> None:
    store.failure = OutOfSpace("full")
    first = grouping.put(opening("a"), [])
    await store.started.wait()
    second = grouping.put(opening("b"), [])
    store.let_go.set()
    assert await settled(first, second) == [store.failure, store.failure]
    assert (heard.failures, heard.committed, store.groups) == (1, [], [1])


async def test_after_a_failure_it_goes_on(store: SlowStore, grouping: Grouping) -> None:
    store.let_go.set()
    store.failure = OutOfSpace("full")
    await settled(grouping.put(opening("a"), []))
    store.failure = None
    assert await settled(grouping.put(opening("a"), [])) == [True]


async def test_a_failure_that_nobody_foresaw_leaves_nobody_waiting(
    store: SlowStore, heard: Heard
) -> None:
    grouping = Grouping(store, heard.hear, heard.lose, heard.fail)
    store.failure = ZeroDivisionError("a bug in a store")
    first = grouping.put(opening("a"), [])
    await store.started.wait()
    second = grouping.put(opening("b"), [])
    store.let_go.set()
    assert await settled(first, second) == [store.failure, store.failure]
    with pytest.raises(ZeroDivisionError):  # nor is the bug hidden
        await grouping.close()


async def test_a_cancelled_outcome_does_not_take_its_batch_back(
    store: SlowStore, grouping: Grouping
) -> None:
    outcomes = [grouping.put(opening(name), []) for name in ("a", "b")]
    outcomes[0].outcome.cancel()
    store.let_go.set()
    assert (await settled(outcomes[1])) == [True]
    assert [one.name for one in await store.worlds()] == ["a", "b"]


async def test_closing_writes_what_is_queued(store: SlowStore, heard: Heard) -> None:
    grouping = Grouping(store, heard.hear, heard.lose, heard.fail)
    outcomes = [grouping.put(opening(f"w{number}"), []) for number in range(200)]
    store.let_go.set()
    await grouping.close()
    assert await settled(*outcomes) == [True] * 200


async def test_a_closing_that_is_cancelled_ends_when_all_is_written(
    store: SlowStore, heard: Heard
) -> None:
    grouping = Grouping(store, heard.hear, heard.lose, heard.fail)
    outcomes = [grouping.put(opening(name), []) for name in "ab"]
    await store.started.wait()
    closing = asyncio.ensure_future(grouping.close())
    for _ in range(2):  # the second is as a second Ctrl-C
        await asyncio.sleep(0)
        closing.cancel()
    await asyncio.sleep(0)
    assert not closing.done()
    store.let_go.set()
    assert await settled(*outcomes) == [True, True]
    with pytest.raises(asyncio.CancelledError):
        await closing


async def test_who_waits_is_told_also_where_to_hear_of_it_fails(
    store: SlowStore, heard: Heard
) -> None:
    def fail(group: list[Submission]) -> None:
        raise MemoryError

    grouping = Grouping(store, fail, heard.lose, heard.fail)
    store.let_go.set()
    outcomes = [grouping.put(opening("a"), []) for _ in range(2)]
    assert await settled(*outcomes) == [True, False]
    with pytest.raises(MemoryError):
        await grouping.close()


async def test_a_closed_one_takes_nothing_more(store: SlowStore, heard: Heard) -> None:
    grouping = Grouping(store, heard.hear, heard.lose, heard.fail)
    await grouping.close()
    with pytest.raises(LogClosed, match="the log is closed: open it again to append"):
        grouping.put(opening("w"), [])


async def test_a_store_with_a_pace_takes_together_what_comes_soon_after_a_commit(
    store: SlowStore, grouping: Grouping
) -> None:
    store.let_go.set()
    await settled(grouping.put(opening("first"), []))
    store.pace = 0.2
    second = grouping.put(opening("second"), [])
    for _ in range(50):
        await asyncio.sleep(0)
    await settled(second, grouping.put(opening("third"), []))
    assert store.groups == [1, 2]


async def test_a_store_with_a_pace_does_not_keep_waiting_who_comes_late(
    store: SlowStore, grouping: Grouping, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.let_go.set()
    store.pace = 10 * PATIENCE
    await settled(grouping.put(opening("first"), []))
    now = monotonic() + 10 * PATIENCE
    monkeypatch.setattr(groups, "monotonic", lambda: now)
    await settled(grouping.put(opening("second"), []))
    assert store.groups == [1, 1]
