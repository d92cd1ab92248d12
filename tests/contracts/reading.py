"""What every store gives to read, `volatile.py` being the definition. No store is excused from any of
it."""

from __future__ import annotations

import pytest
from contracts.batches import *
from msgspec.structs import replace
from store_places import Place

from whoknew.eventlog.chain import GENESIS
from whoknew.eventlog.stores.store import PORTION, START, Batch, Record, Segment, Store, World

# reading


@pytest.mark.parametrize("backward", [False, True])
async def test_a_read_gives_what_lies_between(store: Store, backward: bool) -> None:
    await store.commit([opening("other", 4), opening("w", 7)])
    for after, upto in [(0, 7), (0, FAR), (2, 5), (6, 7), (7, 9), (5, 5), (6, 3)]:
        between = [record.body for record in records(0, 7) if after < record.seq <= upto]
        wanted = between[::-1] if backward else between
        for limit in (1, 3, 7, 100):
            found = await store.read("w", after, upto, limit, backward=backward)
            assert found == wanted[:limit], (after, upto, limit)


async def test_several_stretches_are_read_one_after_another(store: Store) -> None:
    await store.commit([opening("a world 'of' \"signs\"", 4), opening("w", 7)])
    every = bodies(records(0, 7))
    quoted = "a world 'of' \"signs\""
    asked = [
        ("w", 2, 5),
        (quoted, 0, FAR),
        ("nowhere", 0, 9),
        ("w", 6, 7),
        ("w", 0, 1),
        ("w", 5, 5),
    ]
    found = await store.read_several([Segment(*one) for one in asked])
    assert found == [*every[2:5], *every[:4], every[6], every[0]]
    assert await store.read_several([]) == []


async def test_of_so_many_names_those_that_are_there_are_found(store: Store) -> None:
    await store.commit([opening(name, number) for number, name in enumerate("abcd", start=1)])
    assert await store.found([]) == await store.found(["nowhere", '"']) == []
    some = await store.found(["d", "nowhere", "b", *map(str, range(3000))])
    assert sorted(some, key=lambda one: one.head) == [World("b", 2), World("d", 4)]


async def test_records_are_read_as_they_were_written(store: Store) -> None:
    written = [
        Record(1, bytes(range(32)), b'{"a":1}', "a key", 1),
        Record(2, b"\xff" * 32, b'{"b":2}', None, None),
        Record(3, GENESIS, b'{"c":3}', None, 1),
    ]
    await store.commit([Batch("w", 0, written, World("w", 0))])
    assert await store.records("w", 0, FAR, 10) == written
    assert await store.records("w", 1, 2, 10) == written[1:2]
    assert await store.records("w", 0, FAR, 2) == written[:2]
    assert [arrival.record for arrival in await store.page(START, 10)] == written


async def test_picked_bodies_come_in_order_and_only_those_there_are(store: Store) -> None:
    await store.commit([opening("w", 9)])
    every = bodies(records(0, 9))
    assert await store.pick("w", []) == []
    assert await store.pick("w", [1, 4, 9]) == [every[0], every[3], every[8]]
    assert await store.pick("w", [0, 3, 10, 2**40]) == [every[2]]


async def test_thousands_of_bodies_are_picked_at_once(store: Store) -> None:
    await store.commit([opening("w", 3000)])
    assert await store.pick("w", range(1, 3001)) == bodies(records(0, 3000))


async def test_landmarks_are_found_past_a_seq_up_to_another(store: Store) -> None:
    marked = [replace(one, landmark=1 if one.seq % 3 == 0 else None) for one in records(0, 9)]
    await store.commit([Batch("w", 0, marked, World("w", 0)), opening("other", 2)])
    every = bodies(marked)
    assert await store.landmarks("w", 0, FAR) == [every[2], every[5], every[8]]
    assert await store.landmarks("w", 0, 6) == [every[2], every[5]]
    assert await store.landmarks("w", 0, 2) == []
    assert await store.landmarks("w", 3, 8) == [every[5]]


async def test_keys_tell_where_their_batches_begin(store: Store) -> None:
    first, second, third = records(0, 3)
    keyed = [replace(first, key="a"), second, replace(third, key="")]
    await store.commit([Batch("w", 0, keyed, World("w", 0))])
    assert await store.keys("w") == {"a": 1, "": 3}


async def test_keys_are_found_by_how_they_begin(store: Store) -> None:
    names = ("a", "a!1", "a/1", "a/10", "aÿ", "a🗝", "b", "A")
    keyed = [replace(one, key=key) for one, key in zip(records(0, 8), names, strict=True)]
    await store.commit([Batch("w", 0, keyed, World("w", 0)), opening("other", 2)])
    assert await store.keys("w", "a/") == {"a/1": 3, "a/10": 4}
    assert await store.keys("w", "a") == {"a": 1, "a!1": 2, "a/1": 3, "a/10": 4, "aÿ": 5, "a🗝": 6}
    assert await store.keys("w", "c") == await store.keys("other", "a") == {}
    assert await store.keys("w", "a", after=3) == {"a/10": 4, "aÿ": 5, "a🗝": 6}


async def test_each_world_has_its_own_keys(store: Store) -> None:
    keyed = [replace(records(0, 1)[0], key="same")]
    group = [Batch(name, 0, keyed, World(name, 0)) for name in ("a", "b")]
    assert await store.commit(group) == [True, True]
    assert await store.keys("a") == await store.keys("b") == {"same": 1}


@pytest.mark.parametrize("key", ["Ünï 🗝", "a'b\";--", "a\nb\tc", "E" * 200, "e\u0301", " "])
async def test_a_key_may_be_any_text(store: Store, key: str) -> None:
    keyed = [replace(records(0, 1)[0], key=key)]
    assert await store.commit([Batch("w", 0, keyed, World("w", 0))]) == [True]
    assert await store.keys("w") == {key: 1}


# bodies


@pytest.mark.parametrize(
    "body",
    [
        '{"text":"\u0000 as it is escaped: \\u0000"}'.replace("\0", "").encode(),
        '{"text":"żółć 世界 🦉 e\u0301 \u202e \ufeff"}'.encode(),
        b'{"text":"\'; DROP TABLE events; --"}',
        b'{ "spaces" :  [ ] }\n',
        b'{"n":12345678901234567890123456789}',
        b"{}",
    ],
)
async def test_a_body_comes_back_byte_for_byte(store: Store, body: bytes) -> None:
    await store.commit([Batch("w", 0, [Record(1, GENESIS, body)], World("w", 0))])
    assert await store.read("w", 0, FAR, 1) == [body]
    assert await store.pick("w", [1]) == [body]
    assert bodies(await store.records("w", 0, FAR, 1)) == [body]


async def test_what_is_large_comes_a_portion_at_a_time(store: Store) -> None:
    """Also right behind much that is small."""
    sizes = [10] * 40 + [PORTION // 3] * 5 + [PORTION + 1, 10, PORTION, PORTION - 1, 10]
    every = [
        replace(one, body=b"%d%b" % (one.seq, b" " * size))
        for one, size in zip(records(0, len(sizes)), sizes, strict=True)
    ]
    for one in every:
        opens = World("w", 0) if one.seq == 1 else None
        await store.commit([Batch("w", one.seq - 1, [one], opens)])
    forward = _portions(every)
    assert [len(some) for some in forward] == [43, 3, 2, 1, 1]
    after, position = 0, START
    for some in forward:
        assert await store.records("w", after, FAR, 1000) == some
        assert await store.read("w", after, FAR, 1000) == bodies(some)
        arrived = await store.page(position, 1000)
        assert [one.record for one in arrived] == some
        assert [body for _, body in await store.arrivals(position, 1000)] == bodies(some)
        after, position = some[-1].seq, arrived[-1].position
    assert await store.records("w", after, FAR, 1000) == []
    assert await store.page(position, 1000) == await store.arrivals(position, 1000) == []
    for some in _portions(every[::-1]):
        assert await store.read("w", 0, some[0].seq, 1000, backward=True) == bodies(some)


def _portions(every: list[Record]) -> list[list[Record]]:
    found, size = [list[Record]()], 0
    for one in every:
        if size >= PORTION:
            found.append([])
            size = 0
        found[-1].append(one)
        size += len(one.body)
    return found


async def test_a_body_of_ten_megabytes_is_kept(store: Store) -> None:
    body = b'{"text":"%b"}' % ("é".encode() * 5_000_000)
    await store.commit([Batch("w", 0, [Record(1, GENESIS, body)], World("w", 0))])
    assert await store.read("w", 0, FAR, 1) == [body]


# all worlds


async def test_a_page_runs_over_all_worlds_in_the_order_of_arrival(store: Store) -> None:
    await store.commit([opening("a", 2)])
    await store.commit([opening("b", 1)])
    await store.commit([going_on("a", 2, 1)])
    found = [(arrival.world, arrival.record.seq) for arrival in await everything(store)]
    assert found == [("a", 1), ("a", 2), ("b", 1), ("a", 3)]


async def test_positions_rise_and_each_leads_on_from_where_it_is(store: Store) -> None:
    await store.commit([opening("a", 3), opening("b", 3), going_on("a", 3, 3)])
    every = await everything(store)
    positions = [arrival.position for arrival in every]
    assert positions == sorted(set(positions))
    assert all(position > START for position in positions)
    for number, arrival in enumerate(every, start=1):
        assert await store.page(arrival.position, 100) == every[number:]


async def test_arrivals_are_the_bodies_of_a_page(store: Store) -> None:
    await store.commit([opening("w", 3), opening("v", 2)])
    page = await store.page(START, 100)
    wanted = [(one.position, one.record.body) for one in page]
    assert await store.arrivals(START, 100) == wanted
    assert await store.arrivals(wanted[1][0], 2) == wanted[2:4]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
async def test_pages_of_any_size_give_the_same(store: Store, limit: int) -> None:
    await store.commit([opening("a", 4), opening("b", 3)])
    await store.commit([forking("a", 2, "c", 2)])
    assert await everything(store, limit) == await everything(store)


async def test_in_a_page_a_world_is_always_in_order(store: Store) -> None:
    await store.commit([opening("b", 1), opening("a", 1)])
    for after in range(1, 6):
        await store.commit([going_on("a", after, 1), going_on("b", after, 1)])
    for name in ("a", "b"):
        seqs = [one.record.seq for one in await everything(store) if one.world == name]
        assert seqs == [1, 2, 3, 4, 5, 6]


async def test_what_was_refused_is_on_no_page(store: Store) -> None:
    await store.commit([opening("a", 1)])
    await store.commit([going_on("a", 0, 1, "stale"), opening("b", 1)])
    assert [(one.world, one.record.seq) for one in await everything(store)] == [("a", 1), ("b", 1)]


# opening again


async def test_what_was_written_is_there_when_it_is_opened_again(place: Place) -> None:
    store = place.store()
    await store.open(nothing)
    keyed = [replace(one, key="k" if one.seq == 1 else None) for one in records(0, 3)]
    marked = [replace(one, landmark=1) for one in keyed]
    await store.commit([Batch("w", 0, marked, World("w", 0)), forking("w", 2, "f", 2)])
    before = await everything(store)
    await store.close()
    store = place.store()
    await store.open(nothing)
    assert await store.worlds() == [World("w", 3), World("f", 4, "w", 2)]
    assert await store.keys("w") == {"k": 1}
    assert await store.landmarks("w", 0, FAR) == bodies(marked)
    assert await everything(store) == before
    assert await store.check() == []
    await store.close()


async def test_it_goes_on_where_it_stopped_when_it_is_opened_again(place: Place) -> None:
    for opened in range(3):
        store = place.store()
        await store.open(nothing)
        batch = going_on("w", opened, 1) if opened else opening("w", 1)
        assert await store.commit([going_on("w", opened + 7, 1), batch]) == [False, True]
        assert await store.commit([opening(f"w{opened}", 1)]) == [True]
        await store.close()
    store = place.store()
    await store.open(nothing)
    assert await store.read("w", 0, FAR, 9) == bodies(records(0, 3))
    assert [one.name for one in await store.worlds()] == ["w", "w0", "w1", "w2"]
    await store.close()
