"""The log: append, read, follow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from hashlib import shake_256
from itertools import pairwise

import pytest
from stores import Place, log_at
from stories import NIGHT, elsinore, opened, said, ticking

from whoknew.eventlog import ABSENT, ANY, Draft, Event, Log, exactly
from whoknew.eventlog.errors import (
    BadName,
    Conflict,
    KeyReused,
    NoSuchWorld,
    Refused,
    TimeRanBack,
    UnknownWitness,
)
from whoknew.eventlog.kinds import Acted, CharacterAdded, Narrated, WorldOpened


def narrated(count: int, text: str = "") -> list[Draft]:
    return [Draft(Narrated(f"{text}{number}")) for number in range(count)]


async def begun(log: Log, world: str = "w", count: int = 1) -> None:
    await log.append(world, [Draft(WorldOpened(), NIGHT), *narrated(count - 1)])


async def seqs_of(events: AsyncIterator[Event]) -> list[int]:
    return [event.seq async for event in events]


async def taken(events: AsyncIterator[Event], count: int) -> list[Event]:
    """The first so many of those that come, and then no more."""
    found: list[Event] = []
    async with asyncio.timeout(20), aclosing(events):  # type: ignore[type-var]
        while len(found) < count:
            found.append(await anext(events))
    return found


# append


async def test_what_is_appended_is_read(log: Log) -> None:
    await elsinore(log)
    events = [event async for event in log.read("elsinore")]
    assert [event.seq for event in events] == list(range(1, 15))
    assert events[6].body == Acted("The ghost, again.")
    assert events[6].actor == "Marcellus"
    assert events[6].witnesses == ("Marcellus", "Bernardo")
    assert {event.world for event in events} == {"elsinore"}


async def test_an_append_tells_where_it_went(log: Log) -> None:
    await begun(log, count=3)
    appended = await log.append("w", narrated(2))
    head = await log.head("w")
    assert (appended.world, appended.first, appended.last) == ("w", 4, 5)
    assert appended.hash == head.hash


async def test_without_a_time_an_event_happens_at_the_present(log: Log) -> None:
    later = NIGHT + timedelta(hours=3)
    await log.append("w", [Draft(WorldOpened(), NIGHT), Draft(Narrated("x"), later)])
    await log.append("w", narrated(1))
    assert [event.at async for event in log.read("w")] == [NIGHT, later, later]


async def test_every_event_of_a_batch_is_recorded_at_one_time(place: Place) -> None:
    async with log_at(place, clock=ticking()) as log:
        await begun(log, count=2)
        await begun(log, "v")
        start = datetime(2026, 11, 20, 20, tzinfo=UTC)
        assert {event.recorded async for event in log.read("w")} == {start}
        assert {event.recorded async for event in log.read("v")} == {start + timedelta(minutes=1)}


async def test_a_wall_clock_set_back_does_not_set_back_the_log(place: Place) -> None:
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    clock = iter([noon, noon - timedelta(hours=1), noon + timedelta(hours=1)])
    async with log_at(place, clock=lambda: next(clock)) as log:
        for _ in range(3):
            await log.append("w", [Draft(Narrated("x"), NIGHT)])
        recorded = [event.recorded async for event in log.read("w")]
    assert recorded == [noon, noon, noon + timedelta(hours=1)]


async def test_nothing_cannot_be_appended(log: Log) -> None:
    with pytest.raises(Refused, match="nothing to append to 'w': give at least one draft"):
        await log.append("w", [])


async def test_a_first_event_must_say_when_the_story_begins(log: Log) -> None:
    with pytest.raises(Refused, match="'w' #1: a world's first event says when its story begins"):
        await log.append("w", narrated(1))


async def test_story_time_never_runs_backwards(log: Log) -> None:
    await begun(log)
    with pytest.raises(TimeRanBack, match=r"'w' #3: .*1599-06-01T20:59:00.*1599-06-01T21:00:00"):
        await log.append("w", [*narrated(1), Draft(Narrated("x"), NIGHT - timedelta(minutes=1))])


async def test_story_time_never_runs_backwards_inside_a_batch(log: Log) -> None:
    later, last = NIGHT + timedelta(hours=1), NIGHT + timedelta(hours=2)
    drafts = [Draft(Narrated("x"), at) for at in (NIGHT, last, later)]
    with pytest.raises(TimeRanBack, match="'w' #3"):
        await log.append("w", drafts)


async def test_story_time_with_a_zone_is_refused(log: Log) -> None:
    with pytest.raises(Refused, match="'w' #1: story time has no time zone"):
        await log.append("w", [Draft(Narrated("x"), NIGHT.replace(tzinfo=UTC))])


@pytest.mark.parametrize("at", [datetime.min, datetime.max, datetime(476, 9, 4, 1, 2, 3, 4567)])
async def test_a_story_may_play_in_any_year(log: Log, at: datetime) -> None:
    await log.append("w", [Draft(Narrated("x"), at)])
    assert [event.at async for event in Log(log.store).read("w")] == [at]


async def test_a_witness_that_the_world_lacks_is_refused(log: Log) -> None:
    await log.append("w", opened("Horatio"))
    with pytest.raises(UnknownWitness) as caught:
        await log.append("w", [said("Horatio", "?", "Yorick")])
    assert str(caught.value) == (
        "'w' #3: 'Yorick' is not among its characters (Horatio): "
        "add a character before it acts or witnesses"
    )


async def test_an_actor_that_the_world_lacks_is_refused(log: Log) -> None:
    await log.append("w", opened("Horatio"))
    with pytest.raises(UnknownWitness, match="'Ghost', 'Yorick' are not among"):
        await log.append("w", [Draft(Acted("Boo"), actor="Ghost", witnesses=("Yorick",))])


async def test_a_character_may_act_in_the_batch_that_adds_it(log: Log) -> None:
    await log.append("w", [*opened(), Draft(CharacterAdded("A")), said("A", "hm")])
    assert len(await log.view("w", "A")) == 1


async def test_a_character_cannot_witness_before_it_is_added(log: Log) -> None:
    with pytest.raises(UnknownWitness, match="'w' #2"):
        await log.append("w", [*opened(), said("A", "hm"), Draft(CharacterAdded("A"))])


async def test_a_witness_named_twice_is_refused(log: Log) -> None:
    await log.append("w", opened("A"))
    with pytest.raises(Refused, match="'w' #3: a witness is named twice: A, A"):
        await log.append("w", [said("A", "hm", "A")])


async def test_a_character_is_added_once(log: Log) -> None:
    await log.append("w", opened("A"))
    with pytest.raises(Refused, match="'A' is a character there already"):
        await log.append("w", [Draft(CharacterAdded("A"))])


@pytest.mark.parametrize("name", ["", " A", "A\n", "\u3000A"])
async def test_a_character_needs_a_name(log: Log, name: str) -> None:
    with pytest.raises(BadName):
        await log.append("w", opened(name))


@pytest.mark.parametrize("about", [(2,), (3,), (0,), (-1,), (1, 99)])
async def test_an_event_refers_to_earlier_ones_only(log: Log, about: tuple[int, ...]) -> None:
    with pytest.raises(Refused, match="refers to earlier ones only"):
        await log.append("w", [Draft(WorldOpened(), NIGHT), Draft(Narrated("x"), about=about)])
    with pytest.raises(Refused, match="refers to earlier ones only"):
        await log.append("w", [Draft(WorldOpened(), NIGHT, cause=about[-1])])


async def test_of_a_refused_batch_nothing_is_written(log: Log) -> None:
    await begun(log)
    with pytest.raises(Refused):
        await log.append("w", [*narrated(3), said("nobody", "x")])
    assert await seqs_of(log.read("w")) == [1]
    assert (await log.append("w", narrated(1))).first == 2


async def test_a_world_whose_first_batch_is_refused_does_not_exist(log: Log) -> None:
    with pytest.raises(Refused):
        await log.append("w", narrated(1))
    assert await log.worlds() == []
    with pytest.raises(NoSuchWorld):
        await log.head("w")


# text


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\udc00\ud800"])
async def test_half_a_surrogate_pair_is_refused_wherever_it_stands(log: Log, text: str) -> None:
    await begun(log)
    for draft in [
        Draft(Narrated(text)),
        Draft(Narrated("x"), place=text),
        Draft(CharacterAdded("x" + text)),
    ]:
        with pytest.raises(Refused, match="half of a surrogate pair"):
            await log.append("w", [draft])
    assert (await log.append("w", narrated(1))).first == 2


NAMES = ["Ødegård", "世界", "🦉", "e\u0301", "é", "a b\tc", "'; --", "\u202eevil", "\0", "A" * 5000]


async def test_a_character_may_have_any_unicode_name(log: Log) -> None:
    await log.append("w", opened(*NAMES))
    await log.append("w", [said(name, name, place) for name, place in pairwise(NAMES)])
    again = Log(log.store)
    for name in NAMES:
        assert [event.text async for event in await again.view("w", name)] == [
            event.text async for event in await log.view("w", name)
        ]
        assert len(await again.view("w", name)) in (1, 2)


async def test_many_characters_witness_one_event(log: Log) -> None:
    cast = [f"guest {number}" for number in range(200)]
    await log.append("w", [*opened(*cast), Draft(Narrated("x"), witnesses=tuple(cast))])
    for name in cast:
        assert [event.seq async for event in await log.view("w", name)] == [202]


async def test_an_event_of_ten_megabytes_is_kept(log: Log) -> None:
    text = "é" * 5_000_000
    await log.append("w", [Draft(Narrated(text), NIGHT)])
    assert [event.body.words async for event in Log(log.store).read("w")] == [text]


@pytest.mark.parametrize(
    "name", ["", " w", "w ", "a\nb", "a\0b", "\ud800", "x" * 201, "\u200b", "a\tb"]
)
async def test_a_bad_name_for_a_world_is_refused(log: Log, name: str) -> None:
    with pytest.raises(BadName, match="cannot be the name of a world"):
        await begun(log, name)
    await begun(log, "good")
    with pytest.raises(BadName, match="cannot be the name of a world"):
        await log.fork("good", name)
    assert [one.name for one in await log.worlds()] == ["good"]


@pytest.mark.parametrize("name", ["w", "a b", "Ünï", "世界", "🦉", "a/b", "%_'\"", "x" * 200])
async def test_a_world_may_have_any_printable_name(log: Log, name: str) -> None:
    await begun(log, name, 3)
    assert await seqs_of(Log(log.store).read(name)) == [1, 2, 3]
    assert [one.name for one in await log.worlds()] == [name]


@pytest.mark.parametrize("name", ["nowhere", "", "a\0b", "\ud800", "x" * 100_000])
async def test_a_world_that_is_not_there_is_said_not_to_be(log: Log, name: str) -> None:
    await begun(log)
    for ask in (log.head, log.cursor, log.director, log.knowledge):
        with pytest.raises(NoSuchWorld):
            await ask(name)
    with pytest.raises(NoSuchWorld):
        await seqs_of(log.read(name))


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
        async with asyncio.timeout(20), aclosing(log.follow_all()) as placed:  # type: ignore[type-var]
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


# several processes, of which each is a log of its own here


@pytest.mark.parametrize("shared", ["postgres"], indirect=True)
async def test_a_follower_hears_of_what_another_process_wrote(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        following = asyncio.ensure_future(taken(mine.follow("w"), 3))
        await theirs.append("w", narrated(2))
        assert [event.seq for event in await following] == [1, 2, 3]


async def test_an_expected_head_is_that_of_the_log_not_of_a_memory(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2))
        head = await mine.head("w")
        assert (await mine.append("w", narrated(1), expect=exactly(head.seq))).first == 4


async def test_a_head_that_another_process_moved_is_a_conflict(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2))
        with pytest.raises(Conflict) as caught:
            await mine.append("w", narrated(1), expect=exactly(1))
        assert caught.value.actual == 3


async def test_a_character_that_another_process_added_may_act(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", [Draft(CharacterAdded("A"))])
        assert (await mine.append("w", [said("A", "hm")])).first == 3


async def test_a_key_that_another_process_used_is_known(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        first = await theirs.append("w", narrated(2), key="k")
        assert await mine.append("w", narrated(2), key="k") == first
        with pytest.raises(KeyReused):
            await mine.append("w", narrated(3), key="k")


async def test_a_cancelled_append_that_lost_its_place_can_be_asked_for_again(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2, "theirs"))
        task = asyncio.ensure_future(mine.append("w", narrated(2), key="k"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await begun(mine, "v")  # whatever was queued before is settled now
        again = await mine.append("w", narrated(2), key="k")
        assert (await mine.head("w")).seq == again.last == 5


async def test_two_processes_write_one_world_by_turns(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        writers = [log.append("w", narrated(2)) for log in (mine, theirs) for _ in range(20)]
        await asyncio.gather(*writers)
        assert await seqs_of(mine.read("w")) == list(range(1, 82))
        assert await seqs_of(theirs.read("w")) == list(range(1, 82))
