"""Leases on a log that several processes write, of which each is a store of its own here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from contracts.batches import going_on, nothing, opening, records
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from postgres_server import Cluster
from small_worlds import begun, narrated
from store_places import PostgresPlace, log_at
from waiting import OFTEN, PATIENCE

from whoknew.eventlog import Log, exactly, open_log
from whoknew.eventlog.errors import Conflict, LeaseLost
from whoknew.eventlog.stores.leases import Leases, under
from whoknew.eventlog.stores.store import Batch, Store, World

LONG = 3600.0

WORLDS = ("v", "w")


@pytest.fixture
def shared_place(postgres: Cluster, database: str) -> PostgresPlace:
    return PostgresPlace(postgres, database)


@pytest.fixture
async def stores(shared_place: PostgresPlace) -> AsyncIterator[list[Store]]:
    """Two processes at one log."""
    both = [shared_place.store(), shared_place.store()]
    for store in both:
        await store.open(nothing)
    yield both
    for store in both:
        await store.close()


def leases_of(store: Store) -> Leases:
    assert store.leases is not None
    return store.leases


async def claimed(store: Store, holder: str, *worlds: str, most: int = 1) -> list[str]:
    return await leases_of(store).claim(worlds, holder, LONG, most)


async def test_what_is_given_back_while_it_is_renewed_is_held_by_nobody(
    stores: list[Store],
) -> None:
    leases = leases_of(stores[0])
    await claimed(stores[0], "one", "w")
    stated = dict(leases.epochs)
    await leases.release(["w"])
    leases.epochs |= stated  # as a renewal states it that was on its way
    assert await leases.renew(LONG) == ["w"]
    assert await leases.all() == []


async def run_out(place: PostgresPlace) -> None:
    """As if all leases had been left alone for longer than they last."""
    await asyncio.to_thread(
        place.execute, "UPDATE whoknew.leases SET runs_out = clock_timestamp() - interval '1 s'"
    )


async def test_a_file_has_one_writer_and_no_leases(tmp_path: Path) -> None:
    async with open_log(tmp_path / "log.db") as log:
        assert log.store.leases is None


async def test_a_world_that_is_held_is_not_claimed(stores: list[Store]) -> None:
    mine, theirs = stores
    assert await claimed(mine, "A", "w") == ["w"]
    assert await claimed(theirs, "B", "w") == []
    assert await claimed(mine, "A again", "w") == []


async def test_the_first_free_ones_are_claimed_in_the_order_given(stores: list[Store]) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "b")
    assert await claimed(theirs, "B", "c", "b", "a", "d", most=2) == ["c", "a"]


async def test_of_many_who_claim_at_once_each_world_has_one(stores: list[Store]) -> None:
    worlds = [f"w{number}" for number in range(12)]
    each = await asyncio.gather(
        *(claimed(store, str(number), *worlds) for number, store in enumerate(stores * 6))
    )
    assert sorted(world for some in each for world in some) == sorted(worlds)


async def test_what_is_given_back_can_be_claimed_at_once(stores: list[Store]) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "w")
    await leases_of(mine).release(["w"])
    assert await claimed(theirs, "B", "w") == ["w"]
    [lease] = await leases_of(mine).all()
    assert (lease.holder, lease.epoch) == ("B", 2)


async def test_what_ran_out_is_taken_over_and_then_lost(
    stores: list[Store], shared_place: PostgresPlace
) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "w")
    assert await mine.commit([opening("w", 1)]) == [True]
    await run_out(shared_place)
    assert await claimed(theirs, "B", "w") == ["w"]
    assert await mine.commit([going_on("w", 1, 1, "late")]) == [False]
    assert await leases_of(mine).renew(LONG) == ["w"]
    with pytest.raises(LeaseLost, match="taken over by B: its lease is at epoch 2"):
        await leases_of(mine).check("w")
    assert await theirs.commit([going_on("w", 1, 1)]) == [True]
    await leases_of(mine).release(["w"])  # of what is another's nothing is given back
    assert await leases_of(theirs).renew(LONG) == []


async def test_what_ran_out_goes_on_where_nobody_took_it_over(
    stores: list[Store], shared_place: PostgresPlace
) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "w")
    await run_out(shared_place)
    assert await mine.commit([opening("w", 1)]) == [True]
    assert await leases_of(mine).renew(LONG) == []
    assert await claimed(theirs, "B", "w") == []


async def test_a_world_is_not_begun_by_a_lease_that_is_anothers(
    stores: list[Store], shared_place: PostgresPlace
) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "w")
    await run_out(shared_place)
    await claimed(theirs, "B", "w")
    assert await mine.commit([opening("w", 2), opening("v", 1)]) == [False, True]
    assert await theirs.worlds() == [World("v", 1)]


async def test_who_holds_nothing_may_write_beside_it(stores: list[Store]) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "w")
    assert await mine.commit([opening("w", 1)]) == [True]
    assert await theirs.commit([going_on("w", 1, 1)]) == [True]


async def test_what_goes_in_under_a_lease_states_it_beside_others_of_its_world(
    stores: list[Store], shared_place: PostgresPlace
) -> None:
    mine, theirs = stores
    await claimed(mine, "A", "one share")
    await claimed(theirs, "B", "another share")
    first, second = leases_of(mine).holding("one share"), leases_of(theirs).holding("another share")
    assert await mine.commit([replace(opening("w", 1), under=first)]) == [True]
    assert await theirs.commit([replace(going_on("w", 1, 1), under=second)]) == [True]
    await run_out(shared_place)
    await claimed(theirs, "B", "one share")
    late, good = going_on("w", 2, 1, "late"), going_on("v", 1, 1)
    assert await theirs.commit([opening("v", 1)]) == [True]
    assert await mine.commit([replace(late, under=first), good]) == [False, True]
    await leases_of(mine).release(["one share"])
    assert await mine.commit([replace(late, under=first)]) == [False]
    with pytest.raises(LeaseLost, match="'one share' was taken over by B"):
        await leases_of(mine).check("w", first)


async def test_who_finds_that_another_has_gone_on_with_what_it_held_is_told_who_took_it_over(
    shared_place: PostgresPlace,
) -> None:
    async with log_at(shared_place) as mine, log_at(shared_place) as theirs:
        await begun(theirs)
        head = (await theirs.head("w")).seq
        await claimed(mine.store, "A", "w")
        await run_out(shared_place)
        await claimed(theirs.store, "B", "w")
        await theirs.append("w", narrated(2))
        with pytest.raises(LeaseLost, match="taken over by B"):
            await mine.append("w", narrated(1), expect=exactly(head))
        await leases_of(mine.store).release(["w"])
        with pytest.raises(Conflict):
            await mine.append("w", narrated(1), expect=exactly(head))


async def test_many_processes_append_to_one_world_each_under_a_lease_of_its_own(
    shared_place: PostgresPlace,
) -> None:
    async with AsyncExitStack() as stack:
        logs = [await stack.enter_async_context(log_at(shared_place)) for _ in range(3)]
        await begun(logs[0])
        each = [_keyed(log, name) for log, name in zip(logs, "abc", strict=True)]
        await asyncio.gather(*each)
        await asyncio.gather(*(_keyed(log, name) for log, name in zip(logs, "cab", strict=True)))
        keys = await logs[0].store.keys("w")
        assert {key for key in keys if " " in key} == {
            f"{one} {n}" for one in "abc" for n in range(9)
        }
        assert (await logs[0].head("w")).seq == len(keys) + 1


async def _keyed(log: Log, name: str) -> None:
    """Nine appends under a lease: what is there already is not written again."""
    await claimed(log.store, name, name)
    with under(leases_of(log.store).holding(name)):
        for number in range(9):
            await log.append("w", narrated(1), key=f"{name} {number}")
    await leases_of(log.store).release(name)


async def test_who_takes_over_waits_for_an_append_that_is_under_way(
    postgres: Cluster, shared_place: PostgresPlace, stores: list[Store]
) -> None:
    asyncpg = pytest.importorskip("asyncpg")
    mine, theirs = stores
    await claimed(mine, "A", "w")
    await mine.commit([opening("w", 1)])
    await run_out(shared_place)
    other = await asyncpg.connect(shared_place.url)
    try:
        holding = other.transaction()
        await holding.start()
        await other.execute("SELECT FROM whoknew.worlds FOR UPDATE")  # mine waits for it
        late = asyncio.ensure_future(mine.commit([going_on("w", 1, 1)]))
        await _waiting(postgres, other, 1)
        taking = asyncio.ensure_future(claimed(theirs, "B", "w"))
        await _waiting(postgres, other, 2)
        await holding.rollback()
        assert (await late, await taking) == ([True], ["w"])
        assert await mine.commit([going_on("w", 2, 1)]) == [False]
    finally:
        await other.close()


async def _waiting(cluster: Cluster, connection: Any, count: int) -> None:
    """Until so many wait for a lock."""
    blocked = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    async with asyncio.timeout(PATIENCE):
        while await connection.fetchval(blocked) < count:  # noqa: ASYNC110  (there is no event of it)
            await asyncio.sleep(OFTEN)


async def test_an_append_says_that_its_lease_is_lost(shared_place: PostgresPlace) -> None:
    async with log_at(shared_place) as mine, log_at(shared_place) as theirs:
        await claimed(mine.store, "A", "w")
        await begun(mine)
        await run_out(shared_place)
        await claimed(theirs.store, "B", "w")
        with pytest.raises(LeaseLost):
            await mine.append("w", narrated(1), expect=exactly(1))
        await theirs.append("w", narrated(1), expect=exactly(1))
        await leases_of(mine.store).release(["w"])
        assert (await mine.append("w", narrated(1))).first == 3


class Holders(RuleBasedStateMachine):
    """Three processes claim, renew, give back and append to two worlds in any order, whether or not
    they still hold them; now and then all leases run out. Beside it stands who holds what."""

    place: PostgresPlace
    run: Callable[[Coroutine[Any, Any, Any]], Any]

    @initialize()
    def begin(self) -> None:
        self.place.renew()
        self.stores = [self.place.store() for _ in range(3)]
        for store in self.stores:
            self.run(store.open(nothing))
        self.held: dict[str, tuple[int, bool]] = {}
        """Of each world its epoch, and whether it is held."""
        self.believed: list[dict[str, int]] = [{}, {}, {}]
        self.heads: dict[str, int] = dict.fromkeys(WORLDS, 0)

    def teardown(self) -> None:
        for store in getattr(self, "stores", []):
            self.run(store.close())

    @rule(who=st.integers(0, 2), world=st.sampled_from(WORLDS))
    def claim(self, who: int, world: str) -> None:
        epoch, live = self.held.get(world, (0, False))
        found = self.run(claimed(self.stores[who], str(who), world))
        assert found == ([] if live else [world])
        if not live:
            self.held[world] = epoch + 1, True
            self.believed[who][world] = epoch + 1

    @rule(world=st.sampled_from(WORLDS))
    def all_claim(self, world: str) -> None:
        epoch, live = self.held.get(world, (0, False))
        claims = [claimed(store, str(who), world) for who, store in enumerate(self.stores)]
        found = self.run(_gathered(claims))
        winners = [who for who, one in enumerate(found) if one]
        assert len(winners) == (0 if live else 1)
        if winners:
            self.held[world] = epoch + 1, True
            self.believed[winners[0]][world] = epoch + 1

    @rule(who=st.integers(0, 2))
    def renew(self, who: int) -> None:
        lost = self.run(leases_of(self.stores[who]).renew(LONG))
        mine = self.believed[who]
        assert lost == sorted(one for one in mine if self.held[one][0] != mine[one])
        for world in mine.keys() - set(lost):
            self.held[world] = mine[world], True

    @rule(who=st.integers(0, 2), world=st.sampled_from(WORLDS))
    def release(self, who: int, world: str) -> None:
        self.run(leases_of(self.stores[who]).release(world))
        epoch = self.believed[who].pop(world, None)
        if epoch == self.held.get(world, (0, False))[0] and epoch is not None:
            self.held[world] = epoch, False

    @rule()
    def all_run_out(self) -> None:
        self.run(run_out(self.place))
        self.held = {world: (epoch, False) for world, (epoch, _) in self.held.items()}

    @rule(who=st.integers(0, 2), world=st.sampled_from(WORLDS))
    def append(self, who: int, world: str) -> None:
        epoch = self.believed[who].get(world)
        may = epoch is None or epoch == self.held[world][0]
        assert self.run(self.stores[who].commit([self._next(world)])) == [may]
        self.heads[world] += may

    @rule(who=st.integers(0, 2), other=st.integers(0, 2), world=st.sampled_from(WORLDS))
    def append_while_another_claims(self, who: int, other: int, world: str) -> None:
        """Either the append comes first, and who claims sees it; or it is refused."""
        epoch, live = self.held.get(world, (0, False))
        mine = self.believed[who].get(world)
        if who == other or mine is None:
            return

        async def claims() -> int | None:
            if not await claimed(self.stores[other], str(other), world):
                return None
            found = await self.stores[other].find(world)
            return found.head if found else 0

        async def both() -> tuple[list[bool], int | None]:
            return await asyncio.gather(self.stores[who].commit([self._next(world)]), claims())

        [went_in], seen = self.run(both())
        self.heads[world] += went_in
        assert not went_in or mine == epoch
        assert (seen is None) == live
        if seen is not None:
            assert seen == self.heads[world]
            self.held[world] = epoch + 1, True
            self.believed[other][world] = epoch + 1

    @invariant()
    def the_log_says_the_same(self) -> None:
        rows = self.run(leases_of(self.stores[0]).all())
        assert {one.world: one.epoch for one in rows if one.seconds > 0} == {
            world: epoch for world, (epoch, live) in self.held.items() if live
        }

    def _next(self, world: str) -> Batch:
        head = self.heads[world]
        return Batch(world, head, records(head, 1), None if head else World(world, 0))


async def _gathered(claims: list[Coroutine[Any, Any, list[str]]]) -> list[list[str]]:
    return await asyncio.gather(*claims)


def test_who_holds_what_is_the_same_in_any_order(shared_place: PostgresPlace) -> None:
    with asyncio.Runner() as runner:
        machine = type(
            "Holders", (Holders,), {"place": shared_place, "run": staticmethod(runner.run)}
        )
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=5,
                stateful_step_count=25,
                deadline=None,
                phases=(Phase.explicit, Phase.generate),
            ),
        )
