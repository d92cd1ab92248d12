"""What every memory brings to mind, and has remembered: laws 3, 4 and 5. No memory is excused from any
of it. Whoever runs it gives the fixture `memory`, which makes one anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_chains import SETTING, ByDigest, chain_of_minds, episodes, events_of
from store_places import VolatilePlace, log_at
from unseen import unseen_altered

from whoknew.agents.agent import Moment
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, Recollection
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.engine.playing import chain
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import CharacterAdded, EpisodeClosed, Remembered

Make = Callable[[], Memory]

OVER = (Remembered, EpisodeClosed)
"""What comes when nobody acts any more in an episode."""

PEOPLE = [one.name for one in SETTING.characters]

some = settings(
    max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


async def played(memory: Make, seed: int = 0) -> list[Event]:
    """The events of a chain, which the seed makes another."""
    async with log_at(VolatilePlace()) as log:
        model = ByDigest()
        model.salt = str(seed)
        await chain.play(await chain_of_minds(log, model, memory=memory), SETTING, episodes())
        return await events_of(log)


async def brought(
    log: Log, world: str, who: str, seq: int, mind: Mind
) -> tuple[bytes, Recollection]:
    """What a mind is asked at a cursor, to the byte, and what came to mind for it."""
    view = await log.view(world, who, AtSeq(seq))
    moment = Moment(who=who, view=view, present=("Somebody",), turns_left=3)
    return (await mind.request(moment)).prompt, await mind.recollect(view)


def anew(who: str, memory: Make) -> Mind:
    return Mind(who, ByDigest(), memory(), Plain())


async def written(log: Log, world: str, events: list[Event]) -> None:
    await log.append(world, [event.draft for event in events])


def has_lived(events: list[Event], who: str, upto: int) -> bool:
    return any(one.episode and who in one.witnesses for one in events[:upto])


async def turns(log: Log, events: list[Event], who: str) -> AsyncIterator[tuple[Life, int]]:
    """The life of a character at each event of an episode that it witnessed, with the seq."""
    for event in events:
        if who in event.witnesses and event.episode:
            life = Life(who)
            await life.catch_up(await log.view("w", who, AtSeq(event.seq)))
            yield life, event.seq


@some
@given(data=st.data())
def test_what_comes_later_changes_nothing_that_comes_to_mind(
    memory: Make, data: st.DataObject
) -> None:
    """Law 3: neither the recollection nor the prompt."""

    async def law() -> None:
        events = await played(memory, data.draw(st.integers(0, 3)))
        cut = data.draw(st.integers(20, len(events) - 1))
        who = data.draw(st.sampled_from(PEOPLE))
        if not has_lived(events, who, cut):
            return
        async with log_at(VolatilePlace()) as log:
            await written(log, "short", events[:cut])
            await written(log, "long", events)
            short = await brought(log, "short", who, cut, anew(who, memory))
            assert await brought(log, "long", who, cut, anew(who, memory)) == short

    asyncio.run(law())


@some
@given(data=st.data())
def test_what_one_did_not_witness_changes_nothing_that_comes_to_mind(
    memory: Make, data: st.DataObject
) -> None:
    """Law 4: events unseen are left out, or others are put in; who saw none of it is asked the
    same, to the byte."""

    async def law() -> None:
        events = await played(memory, data.draw(st.integers(0, 3)))
        who = data.draw(st.sampled_from(PEOPLE))
        if not has_lived(events, who, len(events)):
            return
        drafts = unseen_altered(events, who, data.draw(st.randoms()))
        async with log_at(VolatilePlace()) as log:
            await written(log, "whole", events)
            await log.append("part", drafts)
            whole = await brought(log, "whole", who, len(events), anew(who, memory))
            assert await brought(log, "part", who, len(drafts), anew(who, memory)) == whole

    asyncio.run(law())


@pytest.mark.parametrize("who", ["Oda", "Kit"])
async def test_made_anew_it_brings_the_same_as_one_that_lived_through_it(
    memory: Make, who: str
) -> None:
    """Law 5: turn by turn, over a whole chain."""
    events = await played(memory)
    async with log_at(VolatilePlace()) as log:
        await written(log, "w", events)
        lived = anew(who, memory)
        async for _, seq in turns(log, events, who):
            assert await brought(log, "w", who, seq, lived) == (
                await brought(log, "w", who, seq, anew(who, memory))
            )


@pytest.mark.parametrize("who", PEOPLE)
async def test_it_rests_on_places_that_rise_and_lie_before_the_episode_that_goes_on(
    memory: Make, who: str
) -> None:
    events = await played(memory)
    async with log_at(VolatilePlace()) as log:
        await written(log, "w", events)
        async for life, seq in turns(log, events, who):
            assert life.now is not None
            if not any(isinstance(one.body, OVER) for one in life.now.events):
                _, found = await brought(log, "w", who, seq, anew(who, memory))
                assert list(found.places) == sorted(set(found.places))
                assert all(0 < place < life.now.first for place in found.places)
                assert bool(found.text) <= bool(found.places), "nothing comes from nowhere"


@pytest.mark.parametrize("who", PEOPLE)
async def test_what_it_keeps_of_an_episode_rests_on_the_events_of_it(
    memory: Make, who: str
) -> None:
    """And is the same however it came to be there, and whatever came later."""
    events = await played(memory)
    async with log_at(VolatilePlace()) as log:
        await written(log, "w", events)
        async for life, seq in turns(log, events, who):
            assert life.now is not None
            view = await log.view("w", who, AtSeq(seq))
            kept = await memory().remember(view, life, ByDigest())
            assert kept == await memory().remember(view, life, ByDigest())
            for note in kept:
                assert note.strategy and note.text
                assert note.sources and set(note.sources) <= set(life.now.places)


async def test_who_has_lived_through_nothing_remembers_nothing(memory: Make) -> None:
    async with log_at(VolatilePlace()) as log:
        await log.append("w", [Draft(CharacterAdded("Oda"), SETTING.begins, witnesses=("Oda",))])
        view = await log.view("w", "Oda")
        life = Life("Oda")
        await life.catch_up(view)
        assert (await memory().recollect(view, life, "")).text == ""
        model = ByDigest()
        assert await memory().remember(view, life, model) == () and model.calls == []
