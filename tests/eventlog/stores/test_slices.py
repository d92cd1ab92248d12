"""Limits that several processes keep together on PostgreSQL, each a store of its own here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from time import monotonic
from typing import Any

import pytest
from contracts.batches import nothing
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from postgres_server import Cluster
from store_places import PostgresPlace

from whoknew.eventlog.stores.leases import Leases
from whoknew.eventlog.stores.slices import NOTHING, Amount, SliceAsked
from whoknew.eventlog.stores.store import Store

LONG = 3600.0

WORLDS = ("u", "v", "w")

ONE = Amount(1, 100, 1_000)

MOST = 12, 1_200, 12_000


@pytest.fixture
def shared_place(postgres: Cluster, database: str) -> PostgresPlace:
    return PostgresPlace(postgres, database)


@pytest.fixture
async def both(shared_place: PostgresPlace) -> AsyncIterator[list[Leases]]:
    """Two processes at one log, which hold a world each."""
    stores = [shared_place.store(), shared_place.store()]
    for store in stores:
        await store.open(nothing)
    found = [leases_of(store) for store in stores]
    for world, leases in zip(("v", "w"), found, strict=True):
        await leases.claim([world], world, LONG)
    yield found
    for store in stores:
        await store.close()


def leases_of(store: Store) -> Leases:
    assert store.leases is not None
    return store.leases


async def granted(leases: Leases, asked: SliceAsked, most: int = 12) -> int | None:
    limit = most, most * ONE.tokens, most * ONE.money
    return (await leases.slices.grant("s", [asked], limit)).times.get(asked.world)


async def test_a_slice_is_of_many_calls_where_much_is_left_and_of_one_near_the_end(
    both: list[Leases],
) -> None:
    mine, theirs = both
    assert await granted(mine, SliceAsked("v", NOTHING, need=ONE), most=1_000) == 8
    assert await granted(theirs, SliceAsked("w", NOTHING, need=ONE), most=12) == 1
    assert await granted(theirs, SliceAsked("w", NOTHING, need=ONE.times(4)), most=12) == 1
    assert await granted(theirs, SliceAsked("w", NOTHING, need=ONE.times(5)), most=12) == 0


async def test_who_is_refused_knows_whether_others_may_leave_room(both: list[Leases]) -> None:
    mine, theirs = both
    await granted(mine, SliceAsked("v", NOTHING, need=ONE.times(10)))
    found = await theirs.slices.grant("s", [SliceAsked("w", NOTHING, need=ONE.times(5))], MOST)
    assert (found.times, found.under_way) == ({"w": 0}, True)
    await granted(mine, SliceAsked("v", ONE.times(8)))
    found = await theirs.slices.grant("s", [SliceAsked("w", NOTHING, need=ONE.times(5))], MOST)
    assert (found.times, found.used, found.under_way) == ({"w": 0}, ONE.times(8), False)


async def test_of_a_world_that_was_taken_over_nothing_is_granted(both: list[Leases]) -> None:
    mine, theirs = both
    await mine.release(["v"])
    await theirs.claim(["v"], "another", LONG)
    mine.epochs["v"] = 1  # it was frozen, and believes to hold it
    assert await granted(mine, SliceAsked("v", ONE.times(9), need=ONE)) is None
    assert await granted(theirs, SliceAsked("v", ONE, need=ONE.times(11))) == 1


async def test_what_others_were_seen_to_have_used_is_never_less_than_was_known(
    both: list[Leases],
) -> None:
    mine, theirs = both
    await granted(mine, SliceAsked("v", ONE.times(4)))
    await theirs.slices.known("s", [("v", ONE.times(3)), ("old", ONE.times(5))])
    found = await theirs.slices.grant("s", [SliceAsked("w", NOTHING)], MOST)
    assert found.used == ONE.times(9)


async def test_so_much_a_minute_is_drawn_by_all_together(both: list[Leases]) -> None:
    begun = monotonic()
    first = [await one.slices.draw("m", 60, 100) for one in both]
    assert first[0] == 3  # a twentieth of a minute's worth
    assert first[1] <= monotonic() - begun
    await both[0].slices.draw("m", 60, -2)
    assert await both[1].slices.draw("m", 60, 2) == 2


async def test_seats_are_shared_by_those_who_wait(both: list[Leases]) -> None:
    mine, theirs = (one.slices for one in both)
    assert await mine.seat("m", 4, taken=0, wanted=9, seconds=LONG) == (4, False)
    assert await theirs.seat("m", 4, taken=0, wanted=9, seconds=LONG) == (0, True)
    assert await mine.seat("m", 4, taken=3, wanted=9, seconds=LONG) == (3, True)
    assert await theirs.seat("m", 4, taken=0, wanted=9, seconds=LONG) == (1, True)
    assert await mine.seat("m", 4, taken=2, wanted=9, seconds=LONG) == (2, True)
    assert await theirs.seat("m", 4, taken=1, wanted=9, seconds=LONG) == (2, True)
    assert await mine.seat("m", 4, taken=0, wanted=0, seconds=LONG) == (0, True)
    assert await theirs.seat("m", 4, taken=2, wanted=9, seconds=LONG) == (4, False)


async def test_seats_of_who_died_come_back_when_they_run_out(
    both: list[Leases], shared_place: PostgresPlace
) -> None:
    mine, theirs = (one.slices for one in both)
    await mine.seat("m", 2, taken=0, wanted=2, seconds=LONG)
    await asyncio.to_thread(
        shared_place.execute, "UPDATE whoknew.seats SET runs_out = clock_timestamp()"
    )
    assert await theirs.seat("m", 2, taken=0, wanted=2, seconds=LONG) == (2, False)


class Spenders(RuleBasedStateMachine):
    """Three processes take over three worlds, are granted calls of them, make some and give the rest back,
    in any order, also where they no longer hold them. Beside it stands what each world has used and has
    under way: of all of it there is never more than the limit."""

    place: PostgresPlace
    run: Callable[[Coroutine[Any, Any, Any]], Any]

    @initialize()
    def begin(self) -> None:
        self.place.renew()
        self.stores = [self.place.store() for _ in range(3)]
        for store in self.stores:
            self.run(store.open(nothing))
        self.holds: dict[str, int] = {}
        self.used: dict[str, int] = dict.fromkeys(WORLDS, 0)
        self.room: dict[str, int] = dict.fromkeys(WORLDS, 0)
        """Of each world for how many more calls its holder has room."""

    def teardown(self) -> None:
        for store in getattr(self, "stores", []):
            self.run(store.close())

    @rule(who=st.integers(0, 2), world=st.sampled_from(WORLDS))
    def take_over(self, who: int, world: str) -> None:
        """Its holder is dead, or frozen: nothing was under way."""
        self.place.execute("UPDATE whoknew.leases SET runs_out = '-infinity'")
        assert self.run(leases_of(self.stores[who]).claim([world], str(who), LONG)) == [world]
        self.holds[world] = who
        assert self._ask(who, world, 0) == 0

    @rule(who=st.integers(0, 2), world=st.sampled_from(WORLDS), calls=st.integers(0, 5))
    def ask(self, who: int, world: str, calls: int) -> None:
        found = self._ask(who, world, calls)
        if self.holds.get(world) != who:
            assert found is None
            return
        others = sum(self.used.values()) + sum(self.room.values()) - self.room[world]
        fits = calls > 0 and others + calls <= MOST[0]
        assert found == fits
        self.room[world] = calls if fits else 0

    @rule(world=st.sampled_from(WORLDS))
    def call(self, world: str) -> None:
        if self.room[world]:
            self.room[world] -= 1
            self.used[world] += 1

    @invariant()
    def no_more_than_the_limit(self) -> None:
        assert sum(self.used.values()) + sum(self.room.values()) <= MOST[0]

    def _ask(self, who: int, world: str, calls: int) -> int | None:
        if self.holds.get(world) == who:
            self.room[world] = 0
        asked = SliceAsked(world, ONE.times(self.used[world]), need=ONE.times(calls))
        return self.run(granted(leases_of(self.stores[who]), asked))  # type: ignore[no-any-return]


def test_no_order_of_asking_passes_the_limit(shared_place: PostgresPlace) -> None:
    with asyncio.Runner() as runner:
        machine = type(
            "Spenders", (Spenders,), {"place": shared_place, "run": staticmethod(runner.run)}
        )
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=4,
                stateful_step_count=25,
                deadline=None,
                phases=(Phase.explicit, Phase.generate),
            ),
        )
