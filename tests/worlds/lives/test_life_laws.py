"""What a friend may see of somebody's life, read in all ways that there are; and what a date shows,
whatever is written after it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime, time, timedelta
from functools import cache
from urllib.parse import quote

import pytest
from leak_scan import runs, telltales
from whoknew_server import Served, served

from whoknew.agents.agent import Moment
from whoknew.agents.answering import FoldedLife, Respondent
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.recall import Recall
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.travel.knows import knows
from whoknew.eventlog import Event, Log, View, open_log
from whoknew.eventlog.kinds import Traced
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.life_world import world_of_life
from whoknew.worlds.lives.making import life_of

DAYS = 21
"""So much of a life is read in every way."""


@cache
def life(seed: int) -> LifeGraph:
    return life_of(seed)


@cache
def beginning(seed: int) -> ImportedWorld:
    """The first weeks of a life."""
    world, ends = world_of_life(life(seed)), life(seed).begins + timedelta(days=DAYS)
    return ImportedWorld(
        world.name, tuple(one for one in world.drafts if not one.at or one.at.date() < ends)
    )


@asynccontextmanager
async def lived(seed: int) -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        await log.append(beginning(seed).name, beginning(seed).drafts)
        yield log


class Told:
    """What tells of one event and of no other, and which events somebody may know of."""

    def __init__(self, events: Sequence[Event], who: str) -> None:
        self._of = telltales(events)
        self._mine = {one.seq for one in events if who in one.witnesses}
        self.kept_from = [
            one for one in events if isinstance(one.body, Traced) and one.seq not in self._mine
        ]

    def given_away(self, text: str) -> set[int]:
        """The events that a text tells of, and should not."""
        return {self._of[run] for run in runs(text) if run in self._of} - self._mine


def text_of(request: Request) -> str:
    return "\n".join(message.text for message in request.messages)


@pytest.mark.parametrize("seed", [5, 61])
async def test_no_way_of_reading_tells_a_contact_of_what_was_not_meant_for_it(seed: int) -> None:
    async with lived(seed) as log, served(log, control="c" * 20) as server:
        world = beginning(seed).name
        events = await (await log.director(world)).events()
        for contact in life(seed).contacts:
            told = Told(events, contact.name)
            assert len(told.kept_from) > 50
            assert told.given_away(told.kept_from[10].body.words)
            view = await log.view(world, contact.name)
            read = [*[one.text for one in await view.events()], *await searched(view, told)]
            read += [text_of(one) for one in await requests(view)]
            read += await sent(server, world, contact.name, told)
            for text in read:
                for line in text.splitlines():
                    assert not told.given_away(line), (contact, line)
            await nothing_known(log, world, contact.name, told)


async def searched(view: View, told: Told) -> list[str]:
    """What it finds by the very words that were kept from it."""
    return [
        found.text for one in told.kept_from[::40] for found in await view.recall(one.body.words, 5)
    ]


async def requests(view: View) -> list[Request]:
    """What a model is asked in its place: as it plays a turn, and as it is asked something."""
    found: list[Request] = []
    memories: list[Memory] = [Entire(), Recall(10)]
    for memory in memories:
        mind = Mind(view.character, Offline(), memory, Plain())
        found.append(await mind.request(Moment(who=view.character, view=view)))
        asked = Respondent(Offline(), FoldedLife(lambda memory=memory: memory), Plain())  # type: ignore[misc]
        found.append(await asked.request(view, "What do you know of my diary, and of others?"))
    return found


async def sent(server: Served, world: str, who: str, told: Told) -> list[str]:
    """What the server answers to the token of its view, but for the words that it was asked for."""
    token = (await server.access.tokens.give(world, who)).token
    headers = {"Authorization": f"Bearer {token}"}
    path, found = f"/api/v1/worlds/{quote(world)}", []
    asked = [(path, {}), (f"{path}/events", {"limit": "1000"})]
    asked += [
        (f"{path}/recall", {"as": who, "words": one.body.words[:300]})
        for one in told.kept_from[::60]
    ]
    for way, query in asked:
        async with server.client.get(way, params=query, headers=headers) as response:
            assert response.status == 200, await response.text()
            answer = await response.json()
            answer.pop("words", None)
            found.append(json.dumps(answer, indent=1).replace("\\n", " "))
    return found


async def nothing_known(log: Log, world: str, who: str, told: Told) -> None:
    knowledge = await log.knowledge(world)
    assert {knowledge.of(one.seq, who).answer for one in told.kept_from} == {"absent"}
    shown = await knows(log, world, only=[who], limit=10_000)
    assert not {row.event.seq for row in shown.rows} & {one.seq for one in told.kept_from}


async def test_what_a_date_shows_is_the_same_whatever_is_written_after_it() -> None:
    """Day by day, as the life goes on, and again when all of it stands there: views, searches, prompts."""
    world, whole = beginning(5), life(5)
    days = [whole.begins + timedelta(days=number) for number in range(1, DAYS + 1)]
    by_day: dict[date, list[str]] = {}
    async with open_log(":memory:") as log:
        drafts, done = world.drafts, 0
        for day in days:
            midnight = datetime.combine(day, time())  # what happens then counts as past
            upto = next(
                (place for place, one in enumerate(drafts) if one.at and one.at > midnight),
                len(drafts),
            )
            if upto > done:
                await log.append(world.name, drafts[done:upto])
            done = upto
            by_day[day] = await shown(log, whole, day)
        for day in reversed(days):
            assert await shown(log, whole, day) == by_day[day], day
    assert len(set(map(tuple, by_day.values()))) == DAYS


async def shown(log: Log, whole: LifeGraph, day: date) -> list[str]:
    """What the persona and its closest friend have at a date."""
    friend = next(one.name for one in whole.contacts if one.role == "friend")
    found: list[str] = []
    for who in (whole.persona.name, friend):
        if who not in (await log.knowledge(whole.name)).characters:
            continue
        view = await log.view(whole.name, who, f"@{day.isoformat()}")
        found += [f"{one.seq} {one.text}" for one in await view.events()]
        found += [one.text for one in await view.recall("the parcel, the boss and my father", 5)]
        asked = Respondent(Offline(), FoldedLife(lambda: Recall(10)), Plain())
        found.append(text_of(await asked.request(view, "How do things stand with your father?")))
    return found
