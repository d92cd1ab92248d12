"""The laws of minds: a prompt is a fold of the view, and of nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_chains import SETTING, ByDigest, chain_of_minds, episodes, events_of
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Moment
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.memories.recall import Recall
from whoknew.agents.memories.summary import Summary
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.engine.playing import chain
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Called, CharacterAdded, EpisodeOpened

MEMORIES: dict[str, Callable[[], Memory]] = {
    "none": NoMemory,
    "entire": Entire,
    "summary": Summary,
    "recall": Recall,
}

memories = pytest.mark.parametrize("memory", MEMORIES)
some = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


async def told(memory: str, seed: int = 0) -> list[Event]:
    """The events of a chain, which the seed makes another."""
    async with log_at(VolatilePlace()) as log:
        model = ByDigest()
        model.salt = str(seed)
        await chain.play(
            await chain_of_minds(log, model, memory=MEMORIES[memory]), SETTING, episodes()
        )
        return await events_of(log)


async def prompt(log: Log, world: str, who: str, seq: int, memory: str) -> bytes:
    """What a mind made anew would be asked at a cursor."""
    mind = Mind(who, ByDigest(), MEMORIES[memory](), Plain())
    view = await log.view(world, who, AtSeq(seq))
    moment = Moment(who=who, view=view, present=("Somebody",), turns_left=3)
    return (await mind.request(moment)).prompt


async def written(log: Log, world: str, events: list[Event]) -> None:
    await log.append(world, [event.draft for event in events])


def has_lived(events: list[Event], who: str, upto: int) -> bool:
    return any(one.episode and who in one.witnesses for one in events[:upto])


@memories
@some
@given(data=st.data())
def test_what_comes_later_changes_no_prompt(memory: str, data: st.DataObject) -> None:
    """Law 3."""

    async def law() -> None:
        events = await told(memory, data.draw(st.integers(0, 3)))
        cut = data.draw(st.integers(20, len(events) - 1))
        who = data.draw(st.sampled_from([one.name for one in SETTING.characters]))
        if not has_lived(events, who, cut):
            return
        async with log_at(VolatilePlace()) as log:
            await written(log, "short", events[:cut])
            await written(log, "long", events)
            short = await prompt(log, "short", who, cut, memory)
            assert await prompt(log, "long", who, cut, memory) == short

    asyncio.run(law())


@memories
@some
@given(data=st.data())
def test_what_one_did_not_witness_changes_no_prompt(memory: str, data: st.DataObject) -> None:
    """Law 4: events unseen are left out, or others are put in; who saw none of it is asked the
    same, to the byte."""

    async def law() -> None:
        events = await told(memory, data.draw(st.integers(0, 3)))
        who = data.draw(st.sampled_from([one.name for one in SETTING.characters]))
        if not has_lived(events, who, len(events)):
            return
        drafts = without(events, who, data.draw(st.randoms()))
        async with log_at(VolatilePlace()) as log:
            await written(log, "whole", events)
            await log.append("part", drafts)
            whole = await prompt(log, "whole", who, len(events), memory)
            assert await prompt(log, "part", who, len(drafts), memory) == whole

    asyncio.run(law())


def without(events: list[Event], who: str, chance: object) -> list[Draft]:
    """The events without some that `who` did not witness, and with others that it did not either;
    what refers to seqs is left out, since they are others now."""
    drafts: list[Draft] = []
    for event in events:
        needed = who in event.witnesses or isinstance(event.body, CharacterAdded) or event.seq == 1
        if needed or chance.random() < 0.5:  # type: ignore[attr-defined]
            draft = event.draft
            drafts.append(
                Draft(
                    draft.body,
                    at=draft.at,
                    episode=draft.episode,
                    turn=draft.turn,
                    actor=draft.actor,
                    place=draft.place,
                    witnesses=draft.witnesses,
                )
            )
        if event.episode and chance.random() < 0.3:  # type: ignore[attr-defined]
            drafts.append(Draft(Called("act", "m", "x", reply="unseen"), None, event.episode))
            drafts.append(
                Draft(
                    Acted("unseen"),
                    at=None,
                    episode=event.episode,
                    turn=0,
                    actor=None,
                    place=None,
                    witnesses=(),
                )
            )
    return drafts


@memories
async def test_made_anew_a_mind_is_asked_the_same_as_one_that_lived_through_it(memory: str) -> None:
    """Law 5: turn by turn, over a whole chain."""
    events = await told(memory)
    async with log_at(VolatilePlace()) as log:
        await written(log, "w", events)
        for who in ("Oda", "Kit"):
            lived = Mind(who, ByDigest(), MEMORIES[memory](), Plain())
            for event in events:
                if who not in event.witnesses or not event.episode:
                    continue
                view = await log.view("w", who, AtSeq(event.seq))
                moment = Moment(who=who, view=view, present=("Somebody",), turns_left=3)
                anew = await prompt(log, "w", who, event.seq, memory)
                assert (await lived.request(moment)).prompt == anew


TRICKY = st.lists(
    st.sampled_from([*'"\\\n\r\t[]#{}1 aBé\u2028', "# Your turn", "[3] Bram says: "]), min_size=1
).map("".join)


@some
@given(speech=TRICKY, scenario=TRICKY, description=TRICKY)
def test_nothing_that_is_written_passes_for_another_line(
    speech: str, scenario: str, description: str
) -> None:
    """The prompt has the same lines whatever anybody says: what they say stays in quotes."""

    async def heads(speech: str, scenario: str, description: str) -> list[str]:
        async with log_at(VolatilePlace()) as log:
            await log.append(
                "w",
                [
                    Draft(CharacterAdded("Oda", description), SETTING.begins, witnesses=("Oda",)),
                    Draft(CharacterAdded("Bram")),
                    Draft(EpisodeOpened(scenario, ("Oda", "Bram")), None, 1, witnesses=("Oda",)),
                    Draft(
                        Acted(speech),
                        at=None,
                        episode=1,
                        turn=1,
                        actor="Bram",
                        place=None,
                        witnesses=("Oda", "Bram"),
                    ),
                    Draft(EpisodeOpened("Again.", ("Oda",)), None, 2, witnesses=("Oda",)),
                ],
            )
            mind = Mind("Oda", ByDigest(), Entire(), Plain())
            view = await log.view("w", "Oda")
            request = await mind.request(Moment(who="Oda", view=view))
            return [line.split('"')[0] for line in request.messages[1].text.split("\n")]

    async def law() -> None:
        assert await heads(speech, scenario, description) == await heads("Hi.", "A.", "B.")

    asyncio.run(law())
