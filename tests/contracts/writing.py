"""What every store does with what is written, `volatile.py` being the definition. No store is excused
from any of it."""

from __future__ import annotations

import pytest
from contracts.batches import *

from whoknew.eventlog.stores.store import Store, World

# worlds


STANDING = ((2, "theirs"), (2, "ours"), (3, "on ours"))


async def test_a_new_store_is_empty(store: Store) -> None:
    assert await store.worlds() == []
    assert await everything(store) == []
    assert await store.check() == []


async def test_of_a_world_that_is_not_there_there_is_nothing(store: Store) -> None:
    assert await store.find("w") is None
    assert await store.read("w", 0, FAR, 10) == []
    assert await store.pick("w", [1, 2]) == []
    assert await store.landmarks("w", 0, FAR) == []
    assert await store.keys("w") == {}
    assert await store.records("w", 0, FAR, 10) == []


async def test_a_batch_that_opens_a_world_makes_it(store: Store) -> None:
    assert await store.commit([opening("w", 3)]) == [True]
    assert await store.find("w") == World("w", 3)


async def test_worlds_come_in_the_order_in_which_they_were_made(store: Store) -> None:
    for name in ("zebra", "ant", "Mole"):
        await store.commit([opening(name, 1)])
    await store.commit([going_on("zebra", 1, 1)])
    assert [one.name for one in await store.worlds()] == ["zebra", "ant", "Mole"]


async def test_worlds_made_in_one_commit_come_in_its_order(store: Store) -> None:
    names = [f"w{(n * 37) % 50}" for n in range(50)]
    assert all(await store.commit([opening(name, 1) for name in names]))
    assert [one.name for one in await store.worlds()] == names


async def test_names_that_differ_in_case_or_accent_are_different_worlds(store: Store) -> None:
    names = ["e", "E", "é", "e\u0301", "É", "ß", "ss", "\u0131", "i"]
    assert await store.commit([opening(name, 1, name) for name in names]) == [True] * len(names)
    for name in names:
        assert await store.find(name) == World(name, 1)
        assert await store.read(name, 0, FAR, 5) == bodies(records(0, 1, name))


@pytest.mark.parametrize("name", ["Ødegård 🜁", "a'b\"c;--", "%_\\", "世界", "a" * 200, "🦉" * 200])
async def test_a_world_may_have_any_printable_name(store: Store, name: str) -> None:
    assert await store.commit([opening(name, 2)]) == [True]
    assert await store.find(name) == World(name, 2)
    assert [arrival.world for arrival in await everything(store)] == [name, name]


# commit


async def test_a_commit_of_nothing_is_nothing(store: Store) -> None:
    assert await store.commit([]) == []


async def test_a_batch_goes_on_after_the_head(store: Store) -> None:
    await store.commit([opening("w", 3)])
    assert await store.commit([going_on("w", 3, 2)]) == [True]
    assert await store.find("w") == World("w", 5)
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 5))


@pytest.mark.parametrize("after", [0, 1, 2, 4, 5])
async def test_a_batch_that_expects_another_head_is_not_written(store: Store, after: int) -> None:
    await store.commit([opening("w", 3)])
    assert await store.commit([going_on("w", after, 2, "stale")]) == [False]
    assert await store.find("w") == World("w", 3)
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 3))


async def test_a_batch_that_stands_on_another_event_than_the_head_is_not_written(
    store: Store,
) -> None:
    """Another writer came to the same seq first: only the hash can tell."""
    await store.commit([opening("w", 2)])
    theirs, ours, on_ours = (going_on("w", after, 1, text) for after, text in STANDING)
    theirs.on = ours.on = (await store.records("w", 1, 2, 1))[0].hash
    on_ours.on = ours.records[-1].hash
    assert await store.commit([theirs]) == [True]
    assert await store.commit([ours, on_ours]) == [False, False]
    assert await store.commit([on_ours]) == [False]
    again = going_on("w", 3, 1, "ours")
    again.on = theirs.records[-1].hash
    assert await store.commit([again, going_on("w", 4, 1)]) == [True, True]


async def test_a_world_is_opened_once(store: Store) -> None:
    await store.commit([opening("w", 3)])
    assert await store.commit([opening("w", 2, "again")]) == [False]
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 3))


async def test_of_two_that_open_a_world_at_once_the_first_does(store: Store) -> None:
    assert await store.commit([opening("w", 1, "a"), opening("w", 1, "b")]) == [True, False]
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 1, "a"))


async def test_a_world_is_not_made_by_a_batch_that_does_not_open_it(store: Store) -> None:
    assert await store.commit([going_on("w", 0, 1)]) == [False]
    assert await store.find("w") is None


async def test_a_stale_batch_loses_alone(store: Store) -> None:
    await store.commit([opening("a", 2), opening("b", 2), opening("c", 2)])
    group = [going_on("a", 2, 1), going_on("b", 1, 1, "stale"), going_on("c", 2, 1)]
    assert await store.commit(group) == [True, False, True]
    assert [one.head for one in await store.worlds()] == [3, 2, 3]


async def test_batches_of_one_world_follow_one_another(store: Store) -> None:
    group = [opening("w", 1), going_on("w", 1, 2), going_on("w", 3, 1)]
    assert await store.commit(group) == [True, True, True]
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 4))


async def test_what_stands_on_a_stale_batch_is_stale_too(store: Store) -> None:
    await store.commit([opening("w", 2)])
    group = [going_on("w", 1, 2, "stale"), going_on("w", 3, 1, "on it")]
    assert await store.commit(group) == [False, False]
    assert await store.find("w") == World("w", 2)


async def test_a_batch_after_a_stale_one_goes_in_where_its_head_fits(store: Store) -> None:
    await store.commit([opening("w", 1)])
    group = [going_on("w", 1, 1), going_on("w", 0, 1, "stale"), going_on("w", 2, 1)]
    assert await store.commit(group) == [True, False, True]
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 3))


async def test_a_stale_batch_does_not_take_along_one_whose_head_fits(store: Store) -> None:
    """Here the stale batch ends where the next begins, but the next begins at the head too."""
    await store.commit([opening("w", 1)])
    group = [going_on("w", 1, 1), going_on("w", 1, 1, "stale"), going_on("w", 2, 1)]
    assert await store.commit(group) == [True, False, True]
    assert await store.read("w", 0, FAR, 10) == bodies(records(0, 3))


async def test_a_refused_opening_takes_its_followers_along(store: Store) -> None:
    await store.commit([opening("w", 5)])
    assert await store.commit([opening("w", 1), going_on("w", 1, 1)]) == [False, False]
    assert await store.find("w") == World("w", 5)


async def test_the_same_batch_again_is_stale(store: Store) -> None:
    await store.commit([opening("w", 1)])
    again = going_on("w", 1, 2)
    assert await store.commit([again]) == [True]
    assert await store.commit([going_on("w", 1, 2)]) == [False]
    assert await store.commit([again]) == [False]
    assert await store.find("w") == World("w", 3)


async def test_many_batches_of_many_worlds_go_in_at_once(store: Store) -> None:
    group = [opening(f"w{n}", 3) for n in range(40)]
    group += [going_on(f"w{n}", 3 + step, 1) for step in range(5) for n in range(40)]
    assert await store.commit(group) == [True] * 240
    assert {one.head for one in await store.worlds()} == {8}


# forks


async def test_a_fork_begins_where_it_was_forked(store: Store) -> None:
    await store.commit([opening("w", 5)])
    assert await store.commit([forking("w", 3, "f", 1)]) == [True]
    assert await store.find("f") == World("f", 4, "w", 3)
    assert await store.commit([going_on("f", 4, 2)]) == [True]
    assert await store.find("f") == World("f", 6, "w", 3)


async def test_a_fork_has_no_rows_of_its_parent(store: Store) -> None:
    await store.commit([opening("w", 5), forking("w", 3, "f", 2)])
    own = bodies(records(3, 2, "f"))
    assert await store.read("f", 0, FAR, 10) == own
    assert await store.read("f", 0, FAR, 10, backward=True) == own[::-1]
    assert await store.read("f", 0, 3, 10) == []
    assert await store.read("f", 0, 4, 10) == own[:1]
    assert await store.read("f", 4, FAR, 10) == own[1:]
    assert await store.pick("f", [1, 2, 3, 4, 5, 6]) == own
    assert bodies(await store.records("f", 0, FAR, 10)) == own


async def test_a_fork_and_its_parent_go_on_apart(store: Store) -> None:
    await store.commit([opening("w", 3), forking("w", 3, "f", 1)])
    assert await store.commit([going_on("w", 3, 1, "w"), going_on("f", 4, 1, "f")]) == [True, True]
    assert await store.read("w", 3, FAR, 10) == bodies(records(3, 1, "w"))
    assert await store.read("f", 3, FAR, 10) == bodies(records(3, 2, "f"))


async def test_a_fork_of_a_fork_keeps_who_its_parent_is(store: Store) -> None:
    group = [opening("w", 5), forking("w", 3, "f", 1), forking("f", 4, "g", 1)]
    assert await store.commit(group) == [True, True, True]
    assert await store.find("g") == World("g", 5, "f", 4)
