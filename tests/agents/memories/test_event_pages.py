"""While a memory goes along a long view, others have their turn."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from small_worlds import opened

from whoknew.agents.memories.bookmarks.upkeep import AT_ONCE
from whoknew.agents.memories.event_pages import PAGE, event_by_event
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.exams.bank.grow import Counting
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, EpisodeOpened
from whoknew.testing.occasion import occasion
from whoknew.testing.small_chain import PEOPLE, volatile_log

PAGES = 10


def long_life() -> list[Draft]:
    """One long episode, and the beginning of another."""
    said = [
        Draft(Acted(f"Line {number}."), episode=1, actor=PEOPLE[0], witnesses=PEOPLE)
        for number in range(PAGES * PAGE)
    ]
    next_one = EpisodeOpened("Later.", PEOPLE, "round-robin")
    return [*opened(*PEOPLE), *said, Draft(next_one, episode=2, witnesses=PEOPLE)]


@pytest.mark.parametrize(
    ("name", "does"),
    [
        ("entire", "recollect"),
        ("flat", "recollect"),
        ("examples", "recollect"),
        ("codified", "remember"),
        ("bookmarks", "before_turn"),
    ],
)
async def test_others_have_their_turn_at_each_page_and_after_a_few_calls(
    name: str, does: str
) -> None:
    model = Counting(Offline())
    async with volatile_log() as log:
        await log.append("long", long_life())
        view = await log.view("long", PEOPLE[0])
        await view.recall("kettle", 1)  # what it is searched by is put together on a thread
        now = await occasion(view, "the kettle", model=model)
        memory = MEMORIES.made(name, {}).make(Owner(who=PEOPLE[0]))
        asked = [0]  # up to each turn of the others

        async def others() -> None:
            while True:
                asked.append(model.calls)
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        await getattr(memory, does)(now)
        beside.cancel()
    assert len(asked) > PAGES
    assert max(after - before for before, after in pairwise([*asked, model.calls])) <= 2 * AT_ONCE


async def test_it_begins_behind_a_place_and_ends_at_one() -> None:
    async with volatile_log() as log:
        await log.append("long", long_life())
        view = await log.view("long", PEOPLE[0])
        for after, upto in ((0, None), (3, PAGE + 1), (PAGE, PAGE), (5, 6)):
            found = [event async for event in event_by_event(view, after, upto)]
            assert found == await view.events(after, upto)
