"""What appends to worlds, when the store fails or another writes too."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

import pytest
from small_worlds import NIGHT, opened, said
from waiting import PATIENCE

from whoknew.eventlog import ABSENT, Draft, Log, exactly
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import BadName, Conflict, LogClosed, OutOfSpace
from whoknew.eventlog.kinds import Narrated
from whoknew.eventlog.stores.store import Batch, World
from whoknew.eventlog.stores.volatile import VolatileStore


class FullStore(VolatileStore):
    """A volatile store that has no space left while it is told so."""

    full = False
    closed = False
    commit_now = None

    async def close(self) -> None:
        self.closed = True

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        await asyncio.sleep(0)
        if self.full:
            raise OutOfSpace("no space left")
        return await super().commit(batches)


class CountingStore(VolatileStore):
    """A volatile store that counts its commits. To look and to commit takes a turn of the loop."""

    commits = 0
    commit_now = None

    async def find(self, world: str) -> World | None:
        await asyncio.sleep(0)
        return await super().find(world)

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        self.commits += 1
        await asyncio.sleep(0)
        return await super().commit(batches)


class Looked(FullStore):
    """A store that says which worlds were looked for one by one, and how many batches it refused. What
    is looked for together is told late, when it is `let`."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.refused = 0
        self.let = asyncio.Event()
        self.let.set()

    async def find(self, world: str) -> World | None:
        self.names.append(world)
        return await super().find(world)

    async def found(self, names: Collection[str]) -> list[World]:
        there = await super().found(names)
        await self.let.wait()
        return there

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        taken = await super().commit(batches)
        self.refused += taken.count(False)
        return taken


class SlowStore(VolatileStore):
    """A volatile store that commits many turns of the loop later."""

    commit_now = None

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        for _ in range(50):
            await asyncio.sleep(0)
        return await super().commit(batches)


def narrated(text: str) -> list[Draft]:
    return [Draft(Narrated(text), NIGHT)]


async def words(log: Log, world: str) -> list[str]:
    return [event.body.words async for event in log.read(world)]


async def test_a_failed_append_is_not_written_and_the_next_goes_on() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        with pytest.raises(OutOfSpace):
            await log.append("w", narrated("b"))
        store.full = False
        assert (await log.append("w", narrated("c"))).first == 2
        assert await words(log, "w") == ["a", "c"]


async def test_those_who_waited_for_a_head_do_not_queue_ever_after() -> None:
    """Each of very many goes on appending: what they had to wait for once is there for all of them."""
    store, tasks, each = CountingStore(), 50, 20
    async with Log(store) as log:
        await log.append("w", narrated("a"))
    async with Log(store) as log:
        store.commits = 0

        async def append() -> None:
            for _ in range(each):
                await log.append("w", narrated("b"))

        await asyncio.gather(*(append() for _ in range(tasks)))
        assert store.commits <= 4 * each


async def test_all_that_waited_on_a_failed_append_fail_with_it() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        appends = [log.append("w", narrated(f"{number}")) for number in range(10)]
        results = await asyncio.gather(*appends, return_exceptions=True)
        assert all(isinstance(one, OutOfSpace) for one in results)
        store.full = False
        assert (await log.append("w", narrated("b"), expect=exactly(1))).first == 2


async def test_a_key_is_free_again_when_its_append_failed() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        with pytest.raises(OutOfSpace):
            await log.append("w", narrated("b"), key="k")
        store.full = False
        assert (await log.append("w", narrated("other"), key="k")).first == 2


async def test_a_retry_that_waits_on_a_failing_append_is_tried_anew() -> None:
    """The second came while the first was on its way; it must not take the failure for a result."""
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        both = [asyncio.ensure_future(log.append("w", narrated("b"), key="k")) for _ in range(2)]
        both[0].add_done_callback(lambda _: setattr(store, "full", False))
        results = await asyncio.gather(*both, return_exceptions=True)
        assert isinstance(results[0], OutOfSpace)
        assert not isinstance(results[1], Exception) or isinstance(results[1], OutOfSpace)
        assert await words(log, "w") in (["a", "b"], ["a"])


async def test_what_an_append_lost_to_can_be_read_at_once() -> None:
    """Also where it was still on its way to the store when it came first."""
    async with Log(SlowStore()) as log:
        await log.append("w", narrated("a"))
        first = asyncio.ensure_future(log.append("w", narrated("b")))
        await asyncio.sleep(0)
        with pytest.raises(Conflict) as caught:
            await log.append("w", narrated("c"), expect=exactly(1))
        between = AtSeq(caught.value.expected), AtSeq(caught.value.actual)
        assert [event.body.words async for event in log.read("w", *between)] == ["b"]
        await first


async def test_nothing_is_lost_to_what_was_not_written() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        first = asyncio.ensure_future(log.append("w", narrated("b")))
        first.add_done_callback(lambda _: setattr(store, "full", False))
        await asyncio.sleep(0)
        assert (await log.append("w", narrated("c"), expect=exactly(1))).first == 2
        with pytest.raises(OutOfSpace):
            await first
        assert await words(log, "w") == ["a", "c"]


async def test_a_world_whose_first_append_failed_can_still_be_made() -> None:
    store = FullStore()
    async with Log(store) as log:
        store.full = True
        with pytest.raises(OutOfSpace):
            await log.append("w", narrated("a"), expect=ABSENT)
        store.full = False
        assert (await log.append("w", narrated("a"), expect=ABSENT)).first == 1


async def test_worlds_that_were_looked_for_together_are_not_looked_for_again() -> None:
    store = Looked()
    async with Log(store) as other, Log(store) as log:
        await other.append("d", narrated("a"))
        store.names.clear()
        await log.expect_new(["a", "b", "d", "", "\0"])
        await asyncio.gather(log.append("a", opened("Ann")), log.append("b", opened("Ann")))
        assert store.names == []
        await log.append("c", opened("Ann"))
        await log.append("d", narrated("b"))
        assert set(store.names) == {"c", "d"}
        assert store.refused == 0
        for name in ("", "\0"):
            with pytest.raises(BadName):
                await log.append(name, opened("Ann"))


@pytest.mark.parametrize("fails", [False, True])
async def test_worlds_that_were_begun_while_they_were_looked_for_are_not_taken_for_new(
    fails: bool,
) -> None:
    """Also where what was known of them is forgotten meanwhile, as after an append that failed."""
    store = Looked()
    async with Log(store) as log:
        store.let.clear()
        looking = asyncio.create_task(log.expect_new(["w"]))
        await asyncio.sleep(0)
        await log.append("w", narrated("a"))
        if fails:
            store.full = True
            with pytest.raises(OutOfSpace):
                await log.append("v", narrated("a"))
            store.full = False
        store.let.set()
        await looking
        assert (await log.append("w", narrated("b"))).first == 2
        assert store.refused == 0


async def test_a_fork_that_failed_can_be_made_again() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        with pytest.raises(OutOfSpace):
            await log.fork("w", "f")
        store.full = False
        assert (await log.fork("w", "f")).first == 2


async def test_characters_of_a_failed_append_are_not_there() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", narrated("a"))
        store.full = True
        with pytest.raises(OutOfSpace):
            await log.append("w", opened("A"))
        store.full = False
        with pytest.raises(Exception, match="'A' is not among its characters"):
            await log.append("w", [said("A", "hm")])


async def test_readers_never_see_what_was_not_written() -> None:
    store = FullStore()
    async with Log(store) as log:
        await log.append("w", opened("A"))
        store.full = True
        appending = asyncio.ensure_future(log.append("w", [said("A", "hm")]))
        await asyncio.sleep(0)
        assert (await log.head("w")).seq == 2
        assert len(await log.view("w", "A")) == 0
        with pytest.raises(OutOfSpace):
            await appending


async def test_of_many_forks_to_one_name_one_is_made(log: Log) -> None:
    await log.append("w", narrated("a"))
    forks = [log.fork("w", "f") for _ in range(5)]
    results = await asyncio.gather(*forks, return_exceptions=True)
    assert sum(not isinstance(one, Exception) for one in results) == 1
    assert sum(isinstance(one, Conflict) for one in results) == 4


async def test_a_fork_and_a_new_world_of_one_name_do_not_mix(log: Log) -> None:
    await log.append("w", narrated("a"))
    results = await asyncio.gather(
        log.fork("w", "f"), log.append("f", narrated("b"), expect=ABSENT), return_exceptions=True
    )
    assert sum(isinstance(one, Conflict) for one in results) == 1
    assert len(await words(log, "f")) == (await log.head("f")).seq


async def test_a_closed_log_takes_no_append() -> None:
    log = Log(VolatileStore())
    async with log:
        await log.append("w", narrated("a"))
    with pytest.raises(LogClosed, match="closed"):
        await log.append("w", narrated("b"))


class BrokenStore(FullStore):
    """A store with a bug."""

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        raise ZeroDivisionError("a bug in a store")


async def test_a_store_with_a_bug_is_closed_all_the_same() -> None:
    """Else it would keep its file locked."""
    store = BrokenStore()
    with pytest.raises(ZeroDivisionError):
        async with asyncio.timeout(PATIENCE), Log(store) as log:
            await log.append("w", narrated("a"))
    assert store.closed
