"""Appending: what is written, and what is refused."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from small_worlds import NIGHT, begun, elsinore, narrated, opened, said, seqs_of, ticking
from store_places import Place, log_at

from whoknew.eventlog import Draft, Log, exactly
from whoknew.eventlog.errors import (
    BadName,
    NoSuchWorld,
    Refused,
    TimeRanBack,
    UnknownWitness,
)
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeOpened,
    Narrated,
    Reviewed,
    WorldOpened,
)
from whoknew.eventlog.stores.store import World
from whoknew.eventlog.stores.volatile import VolatileStore

# append


async def test_what_is_appended_is_read(log: Log) -> None:
    await elsinore(log)
    events = [event async for event in log.read("elsinore")]
    assert [event.seq for event in events] == list(range(1, 15))
    assert events[6].body == Acted("The ghost, again.")
    assert events[6].actor == "Marcellus"
    assert events[6].witnesses == ("Marcellus", "Bernardo")
    assert {event.world for event in events} == {"elsinore"}


async def test_drafts_that_name_one_another_are_made_for_the_seq_that_they_get(log: Log) -> None:
    def pair(first: int) -> list[Draft]:
        return [Draft(Narrated("one")), Draft(Narrated("two"), cause=first)]

    await begun(log)
    found = await asyncio.gather(*(log.append("w", pair, key=f"k{n}") for n in range(20)))
    again = await log.append("w", pair, key="k7")
    events = [event async for event in log.read("w")]
    assert again == found[7]
    assert [event.cause for event in events[2::2]] == [event.seq for event in events[1::2]]


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


@pytest.mark.parametrize(
    "draft",
    [
        Draft(EpisodeOpened("A night.", "Ann")),  # type: ignore[arg-type]
        Draft(EpisodeOpened("A night.", ("Ann", 3))),  # type: ignore[arg-type]
        Draft(Narrated(None)),  # type: ignore[arg-type]
        Draft(Narrated(object())),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), episode="1"),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), turn=1.5),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), place=3),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), source=["a"]),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), at="now"),  # type: ignore[arg-type]
        Draft(Reviewed("Ann", {"goal": "high"})),  # type: ignore[dict-item]
        Draft(Narrated("Rain."), about=("1",)),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), cause="1"),  # type: ignore[arg-type]
        Draft(Narrated("Rain."), witnesses=(["Ann"],)),  # type: ignore[arg-type]
        Draft(CharacterAdded(3)),  # type: ignore[arg-type]
        Draft("Rain."),  # type: ignore[arg-type]
    ],
    ids=range(15),
)
async def test_what_could_not_be_read_again_is_refused(log: Log, draft: Draft) -> None:
    """By whoever calls without a type checker. All else of the world stays as it is."""
    await begun(log)
    with pytest.raises(Refused, match="'w' #2"):
        await log.append("w", [draft])
    assert (await log.append("w", narrated(1))).first == 2
    assert [event.seq async for event in Log(log.store).read("w")] == [1, 2]


@pytest.mark.parametrize("drafts", ["abc", [Narrated("Rain.")], [*narrated(1), None], [narrated]])
async def test_a_batch_is_of_drafts(log: Log, drafts: list[Draft]) -> None:
    await begun(log)
    with pytest.raises(Refused, match="a batch is of drafts, not of"):
        await log.append("w", drafts)
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


class Hesitant(VolatileStore):
    """A store whose reads take as long as they take."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = Random(seed)

    async def find(self, world: str) -> World | None:
        for _ in range(self._random.randrange(5)):
            await asyncio.sleep(0)
        return await super().find(world)


@pytest.mark.parametrize("seed", range(40))
async def test_appends_go_in_as_they_were_made_however_long_the_head_takes_to_read(
    seed: int,
) -> None:
    """The first appends to a world that was there already all wait for its head."""
    store = Hesitant(seed)
    async with Log(store) as log:
        await begun(log, count=3)
    async with Log(store) as log:
        made = []
        for number in range(6):
            made.append(
                asyncio.create_task(log.append("w", narrated(1), expect=exactly(3 + number)))
            )
            if Random(seed * 10 + number).random() < 0.5:
                await asyncio.sleep(0)
        appended = await asyncio.gather(*made)
    assert [one.first for one in appended] == [4, 5, 6, 7, 8, 9]
