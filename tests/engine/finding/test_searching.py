"""What some words are about: whole words by their stems, phrases as they stand, the best first."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from shared_data import data
from small_worlds import crowded_with_ghosts, opened, said
from waiting import PATIENCE, others_go_on

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.searching import search
from whoknew.engine.travel.knows import Matrix, knows
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.kinds import Acted
from whoknew.worlds.importers.play import world_of


@pytest.fixture
async def hamlet() -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        world = world_of(data("shakespeare", "hamlet.xml"))
        await log.append("hamlet", world.drafts)
        yield log


async def speeches(log: Log, pattern: str) -> set[int]:
    events = await (await log.director("hamlet")).events()
    found = re.compile(pattern, re.IGNORECASE)
    return {one.seq for one in events if isinstance(one.body, Acted) and found.search(one.text)}


async def found(log: Log, words: str, world: str = "hamlet", at: str = "end") -> list[int]:
    return await search(log, await log.cursor(world, at), words)


async def texts(log: Log, words: str, world: str = "w") -> list[str]:
    events: list[Event] = await (await log.director(world)).events()
    return [events[seq - 1].body.words for seq in await found(log, words, world)]


async def told(log: Log, *lines: str) -> None:
    await log.append("w", [*opened("A", "B"), *(said("A", line, "B") for line in lines)])


async def test_a_word_is_found_whole_and_in_its_other_forms(hamlet: Log) -> None:
    assert set(await found(hamlet, "die")) == await speeches(hamlet, r"\bdie\b")
    walks = set(await found(hamlet, "walking"))
    assert walks >= await speeches(hamlet, r"\bwalk(s|ed|ing)?\b")


async def test_words_that_stand_everywhere_mean_themselves_where_there_are_no_others(
    hamlet: Log,
) -> None:
    hits = await found(hamlet, "to be or not to be")
    assert set(hits) == await speeches(hamlet, r"to be, or not to be")


async def test_a_quoted_phrase_is_found_as_it_stands(hamlet: Log) -> None:
    hits = await found(hamlet, '"Something is rotten"')
    assert hits and set(hits) == await speeches(hamlet, "Something is rotten")
    both = await found(hamlet, '"Something is rotten" Denmark ghost')
    assert both == hits


async def test_what_holds_the_words_as_they_stand_comes_first(log: Log) -> None:
    await told(
        log,
        "Garden, garden, a garden, poison.",
        "They put poison garden tools away, long ago, and nobody ever asked of it again.",
        "A garden.",
    )
    first, second, third = await texts(log, "poison garden")
    assert first.startswith("They put") and second.startswith("Garden,") and third == "A garden."


async def test_of_all_that_hold_a_word_none_is_left_out(log: Log) -> None:
    await told(log, *(f"The ghost, again: {number}." for number in range(300)), "Nothing.")
    assert len(await found(log, "ghosts", "w")) == 300


async def test_nobody_comes_in_or_goes_for_want_of_words(hamlet: Log) -> None:
    events = await (await hamlet.director("hamlet")).events()
    hits = await found(hamlet, "poison garden")
    assert all("poison" in t or "garden" in t for s in hits if (t := events[s - 1].text.lower()))


async def test_other_scripts_are_searched_too(log: Log) -> None:
    await told(log, "世界は美しい", "Die Straße ist lang.", "ok")
    assert await texts(log, "STRASSE") == ["Die Straße ist lang."]
    assert await texts(log, "世界") == ["世界は美しい"]


async def test_what_comes_later_changes_nothing_of_what_was_found(log: Log) -> None:
    await told(log, "A ghost.", "A ghost walks, a ghost.", "No.", "The king is a ghost.")
    before = await found(log, "ghost king", "w")
    head = (await log.head("w")).seq
    await log.append("w", [said("A", "King, king, king", "B") for _ in range(50)])
    assert await found(log, "ghost king", "w", f"#{head}") == before


@pytest.mark.parametrize("words", ["", "!!", '""', '" "'])
async def test_where_there_is_no_word_nothing_is_searched(log: Log, words: str) -> None:
    await told(log, "Hm.")
    with pytest.raises(BadQuestion, match="no word to search for"):
        await found(log, words, "w")


async def page(log: Log, limit: int, skip: int = 0, about: str = "ghost") -> Matrix:
    return await knows(log, "hamlet", about=about, limit=limit, skip=skip)


@pytest.mark.parametrize("about", ["ghost", "100-190"])
async def test_pages_put_together_are_the_whole_and_say_how_much_it_is(
    hamlet: Log, about: str
) -> None:
    whole = await page(hamlet, 1000, about=about)
    assert whole.total == len(whole.rows) > 20
    pages = [await page(hamlet, 7, skip, about) for skip in range(0, whole.total + 7, 7)]
    assert [row for one in pages for row in one.rows] == list(whole.rows)
    assert {(one.total, one.told, one.knowing) for one in pages} == {
        (whole.total, whole.told, whole.knowing)
    }


async def test_what_is_said_of_all_is_not_said_of_a_page(log: Log) -> None:
    await log.append("w", opened("A", "B", "C"))
    await log.append("w", [said("A", f"ghost {number}") for number in range(30)])
    await log.append("w", [said("A", "Listen.", "B", about=[34])])
    found = await knows(log, "w", about="ghost", limit=5)
    assert not any(row.chains for row in found.rows)
    assert (found.told, found.knowing) == (1, ("A", "B"))


async def test_who_knows_of_any_is_what_the_rows_say(hamlet: Log) -> None:
    found = await page(hamlet, 1000, about="poison")
    cells = [cell for row in found.rows for cell in row.cells]
    assert set(found.knowing) == {
        one.character for one in cells if one.answer in ("present", "told")
    }
    assert found.told == sum(bool(row.chains) for row in found.rows)


async def test_a_search_of_a_long_world_is_linear_and_lets_others_go_on() -> None:
    async with crowded_with_ghosts() as log, others_go_on():
        found = await knows(log, "w", about="ghost")
    assert (found.total, len(found.rows)) == (100_000, 20)


async def test_a_long_chain_of_tellings_is_walked_once(log: Log) -> None:
    names = ("A", "B", "C")
    await log.append("w", opened(*names))
    drafts = [
        Draft(Acted("ghost"), actor=names[n % 2], witnesses=names[:2], about=(n + 4,) if n else ())
        for n in range(4_000)
    ]
    await log.append("w", drafts)
    async with asyncio.timeout(PATIENCE):
        found = await knows(log, "w", about="ghost", limit=20)
    assert (found.total, found.told, found.knowing) == (4_000, 0, ("A", "B"))
