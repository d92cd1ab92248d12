"""Much, many, long, and strange: on every store."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from small_worlds import NIGHT, opened, said

from whoknew.eventlog import Draft, Log, verify
from whoknew.eventlog.errors import BadName, TooLarge
from whoknew.eventlog.kinds import CharacterAdded, Narrated, WorldOpened
from whoknew.eventlog.log import wall_clock
from whoknew.eventlog.stamp import LARGEST, Tip, stamp


async def test_a_hundred_and_fifty_characters_see_each_their_own(log: Log) -> None:
    cast = [f"guest {n}" for n in range(150)]
    await log.append("w", opened(*cast))
    await log.append(
        "w", [said(cast[n], f"I am {n}", *cast[n + 1 :: n + 1][:140]) for n in range(150)]
    )
    for n, name in enumerate(cast):
        view = await log.view("w", name)
        expected = [f"{cast[m]}: I am {m}" for m in range(150) if m == n or heard(m, n)]
        assert [event.text for event in await view.events()] == expected


def heard(speaker: int, listener: int) -> bool:
    return listener in range(speaker + 1, 150)[:: speaker + 1][:140]


async def test_an_event_of_ten_megabytes_is_kept_whole(log: Log) -> None:
    text = "Words, words, words. ☠ " * 450_000
    assert len(text.encode()) > 10_000_000
    await log.append("w", [*opened("Hamlet"), said("Hamlet", text)])
    await log.append("w", [said("Hamlet", "That was long.")])
    view = await log.view("w", "Hamlet")
    assert [event.body.words for event in await view.events()] == [text, "That was long."]
    assert (await verify(log)).faults == ()


async def test_an_event_that_is_too_large_is_told_so_and_nothing_of_its_batch_is_written(
    log: Log,
) -> None:
    await log.append("w", opened("Hamlet"))
    long = "x" * (LARGEST - 1000)
    with pytest.raises(TooLarge, match=r"'w' #4 takes 67,\d+,\d+ bytes, and an event has at most"):
        await log.append("w", [said("Hamlet", "before"), said("Hamlet", long + "x" * 1000)])
    assert (await log.head("w")).seq == 2
    assert (await log.append("w", [said("Hamlet", long)])).last == 3
    assert (await log.append("w", [said("Hamlet", "after")])).last == 4
    assert (await verify(log)).faults == ()


def test_a_batch_that_is_too_large_is_told_so() -> None:
    """PostgreSQL would break the connection off, and whether it was written would not be known."""
    large = bytes(LARGEST)
    tip = Tip(world="w", at=NIGHT, cast=frozenset(["Hamlet"]))
    for count in (8, 9):
        drafts = [said("Hamlet", "…")] * count
        with nullcontext() if count == 8 else pytest.raises(TooLarge, match="in several batches"):
            stamp(tip, drafts, None, wall_clock(), lambda event: large)


STRANGE = [
    "é",
    "e\u0301",
    "אופליה",
    "オフィーリア",
    "👩‍👩‍👧‍👦",
    "a\u0000b",
    "two\nlines",
    "a\u202eb",
    '"quoted", \\and\\ slashed',
    "'); DROP TABLE events; --",
    "%s {x} $1 ?",
    "𝕳𝖆𝖒𝖑𝖊𝖙",
    "x" * 5000,
]


async def test_a_character_may_have_any_name(log: Log) -> None:
    await log.append("w", opened(*STRANGE))
    for name in STRANGE:
        await log.append("w", [said(name, f"I am {name}.")])
    for name in STRANGE:
        view = await log.view("w", name)
        assert [event.actor for event in await view.events()] == [name]
        assert [one.text for one in await view.recall(f"I am {name}")] in (
            [f"{name}: I am {name}."],
            [],
        )
    assert (await verify(log)).faults == ()


@pytest.mark.parametrize("name", ["", " ", " Hamlet", "Hamlet\n"])
async def test_a_name_that_nobody_could_see_is_refused(log: Log, name: str) -> None:
    with pytest.raises(BadName, match="cannot name a character"):
        await log.append("w", [Draft(WorldOpened(), NIGHT), Draft(CharacterAdded(name))])


async def test_a_world_may_have_any_name_that_can_be_printed(log: Log) -> None:
    worlds = [name for name in STRANGE if name.isprintable() and len(name) <= 200]
    for name in worlds:
        await log.append(name, opened("Hamlet"))
        await log.append(name, [Draft(Narrated(name))])
    assert [world.name for world in await log.worlds()] == worlds
    for name in worlds:
        assert [event.text async for event in log.read(name, "#2")] == [name]


async def test_a_thousand_worlds_in_one_log(log: Log) -> None:
    for n in range(1000):
        await log.append(f"w{n}", opened("Hamlet"))
    assert len(await log.worlds()) == 1000
    assert (await log.head("w777")).seq == 2
