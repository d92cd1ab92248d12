"""What every memory is held to. None is excused from any of it.

- Law 3: nothing that comes later changes what comes to mind, or is kept before a turn. Law 4: nor
  does what its character did not witness. Both are tested to the byte, on the recollection, on the
  whole prompt and on the notes.
- Law 5: made anew from the whole view it says the same as one that lived through it; what it keeps
  are notes, each resting on places in the view.
- It keeps to its budget, and makes no more calls than its entry says (so that they are forecast).
- It asks its occasion's model and nothing else, and may raise an AgentError and nothing else; the error
  of a model that is away it leaves to whoever plays.

Give the fixture `memory`: its entry, with the settings to be tested.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whoknew.agents.agent import Moment, Note
from whoknew.agents.errors import AgentError, ModelError
from whoknew.agents.life import Life
from whoknew.agents.memories.life_extent import LifeExtent, is_act
from whoknew.agents.memories.memory import Memory, MemoryEntry, Recollection
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model, tokens_of
from whoknew.agents.parts import Owner
from whoknew.engine.playing import chain
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import CharacterAdded, EpisodeClosed, Remembered
from whoknew.testing.occasion import occasion
from whoknew.testing.small_chain import (
    PEOPLE,
    SETTING,
    chain_of_minds,
    episodes,
    events_of,
    volatile_log,
)
from whoknew.testing.stub_models import Away, ByDigest, Rambling
from whoknew.testing.unseen import unseen_altered

pytestmark = pytest.mark.asyncio

OVER = (Remembered, EpisodeClosed)
"""What comes when nobody acts any more in an episode."""

REASKS = 2

BUDGETS = (None, 0, 40, 160)

some = settings(
    max_examples=12,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def made(memory: MemoryEntry, who: str) -> Memory:
    return memory.make(Owner(who=who, reasks=REASKS))


async def played(memory: MemoryEntry, seed: int = 0) -> list[Event]:
    """The events of a chain, which the seed makes another."""
    async with volatile_log() as log:
        model = ByDigest(salt=str(seed))
        run = await chain_of_minds(log, model, memory=lambda who: made(memory, who))
        await chain.play(run, SETTING, episodes())
        return await events_of(log)


async def brought(
    log: Log, world: str, who: str, seq: int, mind: Mind
) -> tuple[bytes, Recollection, Sequence[Note] | str]:
    """What a mind is asked at a cursor, to the byte, what came to mind for it, and what it keeps
    before the turn, or why it cannot."""
    view = await log.view(world, who, AtSeq(seq))
    moment = Moment(who=who, view=view, present=("Somebody",), turns_left=3)
    kept: Sequence[Note] | str
    try:
        kept = await mind.before_turn(moment)
    except AgentError as error:
        kept = str(error)
    return (await mind.request(moment)).prompt, await mind.recollect(view), kept


def anew(
    who: str, memory: MemoryEntry, model: Model | None = None, budget: int | None = None
) -> Mind:
    return Mind(who, model or ByDigest(), made(memory, who), Plain(), budget=budget)


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
async def test_what_comes_later_changes_nothing_that_comes_to_mind(
    memory: MemoryEntry, data: st.DataObject
) -> None:
    """Law 3: neither the recollection nor the prompt."""
    events = await played(memory, data.draw(st.integers(0, 3)))
    cut = data.draw(st.integers(20, len(events) - 1))
    who = data.draw(st.sampled_from(PEOPLE))
    budget = data.draw(st.sampled_from(BUDGETS))
    if not has_lived(events, who, cut):
        return
    async with volatile_log() as log:
        await written(log, "short", events[:cut])
        await written(log, "long", events)
        short = await brought(log, "short", who, cut, anew(who, memory, budget=budget))
        assert await brought(log, "long", who, cut, anew(who, memory, budget=budget)) == short


@some
@given(data=st.data())
async def test_what_one_did_not_witness_changes_nothing_that_comes_to_mind(
    memory: MemoryEntry, data: st.DataObject
) -> None:
    """Law 4: events unseen are left out, or others are put in; who saw none of it is asked the
    same, to the byte."""
    events = await played(memory, data.draw(st.integers(0, 3)))
    who = data.draw(st.sampled_from(PEOPLE))
    budget = data.draw(st.sampled_from(BUDGETS))
    if not has_lived(events, who, len(events)):
        return
    drafts = unseen_altered(events, who, data.draw(st.randoms()))
    async with volatile_log() as log:
        await written(log, "whole", events)
        await log.append("part", drafts)
        whole = await brought(log, "whole", who, len(events), anew(who, memory, budget=budget))
        assert (
            await brought(log, "part", who, len(drafts), anew(who, memory, budget=budget)) == whole
        )


@pytest.mark.parametrize("who", ["Oda", "Kit"])
async def test_made_anew_it_brings_the_same_as_one_that_lived_through_it(
    memory: MemoryEntry, who: str
) -> None:
    """Law 5: turn by turn, over a whole chain."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        lived = anew(who, memory)
        async for _, seq in turns(log, events, who):
            assert await brought(log, "w", who, seq, lived) == (
                await brought(log, "w", who, seq, anew(who, memory))
            )


@pytest.mark.parametrize("who", PEOPLE)
async def test_it_rests_on_places_that_rise_and_lie_before_the_episode_that_goes_on(
    memory: MemoryEntry, who: str
) -> None:
    """What keeps something before turns may tell of that episode, too."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        async for life, seq in turns(log, events, who):
            assert life.now is not None
            if not any(isinstance(one.body, OVER) for one in life.now.events):
                _, found, _ = await brought(log, "w", who, seq, anew(who, memory))
                assert list(found.places) == sorted(set(found.places))
                last = life.upto if memory.before_turns else life.now.first - 1
                assert all(0 < place <= last for place in found.places)
                assert bool(found.text) <= bool(found.places), "nothing comes from nowhere"


@pytest.mark.parametrize("who", PEOPLE)
async def test_what_it_keeps_when_an_episode_ends_rests_on_what_was_witnessed_up_to_there(
    memory: MemoryEntry, who: str
) -> None:
    """And is the same however it came to be there, and whatever came later."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        async for life, seq in turns(log, events, who):
            assert life.now is not None
            view = await log.view("w", who, AtSeq(seq))
            kept = await made(memory, who).remember(await occasion(view, model=ByDigest()))
            assert kept == await made(memory, who).remember(await occasion(view, model=ByDigest()))
            for note in kept:
                assert note.strategy == memory.keeps or not memory.keeps, "`keeps` says otherwise"
                assert note.strategy and (note.text or note.packed)
                assert note.sources and set(note.sources) <= set(range(1, len(view) + 1))


async def test_who_has_lived_through_nothing_remembers_nothing(memory: MemoryEntry) -> None:
    async with volatile_log() as log:
        await log.append("w", [Draft(CharacterAdded("Oda"), SETTING.begins, witnesses=("Oda",))])
        view = await log.view("w", "Oda")
        model = ByDigest()
        now = await occasion(view, model=model)
        assert (await made(memory, "Oda").recollect(now)).text == ""
        assert await made(memory, "Oda").remember(now) == () and model.calls == []


@pytest.mark.parametrize("budget", [0, 10, 40, 160])
async def test_what_it_brings_to_mind_fits_into_its_budget(
    memory: MemoryEntry, budget: int
) -> None:
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        async for life, seq in turns(log, events, "Oda"):
            now = await occasion(
                await log.view("w", "Oda", AtSeq(seq)), model=ByDigest(), budget=budget
            )
            found = await made(memory, life.who).recollect(now)
            assert tokens_of(found.text) <= budget, "it has to leave something out"


async def test_more_room_never_brings_less_and_what_has_none_is_counted(
    memory: MemoryEntry,
) -> None:
    """And where there is no budget, all of it comes to mind. It rests on nothing that was left out."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        view = await log.view("w", "Oda", AtSeq(len(events)))
        whole = await made(memory, "Oda").recollect(await occasion(view, model=ByDigest()))
        assert whole.left_out == 0
        before = 0
        for budget in (0, 1, 7, 20, 50, 110, 300, 1_000, 10_000):
            now = await occasion(view, model=ByDigest(), budget=budget)
            found = await made(memory, "Oda").recollect(now)
            assert tokens_of(found.text) <= budget
            room = sum(tokens_of(f"{piece.text}\n") for piece in found.pieces)
            assert before <= room and set(found.places) <= set(whole.places)
            left = {place for piece in whole.pieces for place in piece.places}
            left -= {place for piece in found.pieces for place in piece.places}
            assert not left & set(found.places)
            assert found.left_out == tokens_of(whole.text) - tokens_of(found.text)
            before = room
        assert found == whole


async def test_it_makes_no_more_calls_than_its_entry_says(memory: MemoryEntry) -> None:
    """Those that are forecast; each answer may be asked for again."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        lived = made(memory, "Oda")
        async for _, seq in turns(log, events, "Oda"):
            view = await log.view("w", "Oda", AtSeq(seq))
            turn, closing = ByDigest(), ByDigest()
            now = await occasion(view, model=turn)
            await lived.before_turn(now)
            await lived.recollect(now)
            acts = sum(is_act(event, "Oda") for event in await view.events())
            length = LifeExtent(events=len(view), acts=acts)
            most = memory.most_before_turn(length) + memory.most_calls(length)
            assert len(turn.calls) <= most * (1 + REASKS), (
                "most_before_turn or most_calls says less"
            )
            await made(memory, "Oda").remember(await occasion(view, model=closing))
            most = memory.most_closing(length) * (1 + REASKS)
            assert len(closing.calls) <= most, "calls_an_episode or most_closing says less"


@pytest.mark.parametrize("make", [Away, Rambling])
async def test_what_it_cannot_do_without_its_model_it_says(
    memory: MemoryEntry, make: type[Away | Rambling]
) -> None:
    """Law 7: a model that is away is not done without. Of one that rambles it may take what it
    likes, or raise an AgentError; nothing else."""
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        view = await log.view("w", "Oda")
        for what in ("before_turn", "recollect", "remember"):
            model = make()
            now = await occasion(view, model=model)
            try:
                await getattr(made(memory, "Oda"), what)(now)
            except AgentError as error:
                assert isinstance(model, Rambling) or isinstance(error, ModelError)
            else:
                assert isinstance(model, Rambling) or not model.asked, f"{what} hides a failure"


async def test_what_it_gives_is_of_the_types_of_its_port(memory: MemoryEntry) -> None:
    events = await played(memory)
    async with volatile_log() as log:
        await written(log, "w", events)
        now = await occasion(await log.view("w", "Oda"), model=ByDigest())
        assert type(await made(memory, "Oda").recollect(now)) is Recollection
        for kept in (
            await made(memory, "Oda").before_turn(now),
            await made(memory, "Oda").remember(now),
        ):
            assert type(kept) is tuple and all(type(note) is Note for note in kept)
            assert all(note.strategy and (note.text or note.packed) for note in kept)
            assert all(0 < place <= len(now.view) for note in kept for place in note.sources)
