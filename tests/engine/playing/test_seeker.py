"""Tellings that are found while a world is played stand behind the turn, and change nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import NIGHT, opened, said
from store_places import VolatilePlace, log_at

from whoknew.engine.finding.records import RULE
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.seeker import Seeker
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.errors import Refused
from whoknew.eventlog.kinds import (
    Called,
    EpisodeClosed,
    EpisodeOpened,
    MarkPlaced,
    TellingFound,
    TellingsSought,
)
from whoknew.testing.small_chain import SETTING, chain_of_minds, digest_of, episodes, events_of
from whoknew.testing.stub_models import ByDigest

SECRET = "Corvin buried forty silver candlesticks beneath the chapel of Saint Brannoc."
SMALL = ("rain again", "pass the salt", "it is late", "good soup tonight", "mind the step")
FACT, SPEECH = 25, 47


def turns() -> list[list[Draft]]:
    """Batches: small talk; a secret to Bob, who tells Cid of it; the end of the episode."""
    talk = [[said("Cid", SMALL[n % 5], "Ann", "Bob", episode=1)] for n in range(20)]
    begun = [*opened("Ann", "Bob", "Cid")]
    told = [[said("Bob", f"Listen: {SECRET}", "Cid", episode=1)]]
    secret = [[said("Ann", SECRET, "Bob", episode=1)]]
    closed = [[Draft(EpisodeClosed("it is late"), episode=1)]]
    room = EpisodeOpened("A room.", ("Ann", "Bob", "Cid"))
    begun.append(Draft(room, at=NIGHT, episode=1, witnesses=room.cast))
    return [begun, *talk[:19], *secret, *talk, *told, *closed]


async def play(place: VolatilePlace, batches: Sequence[Sequence[Draft]]) -> None:
    """One start of a process: what comes next is appended, with what is found behind it."""
    async with log_at(place) as log:
        chain_log = await seeking(log)
        for batch in batches:
            await chain_log.append(batch)


async def seeking(log: Log) -> ChainLog:
    state = await chain.standing(log, "w", SETTING)
    control = Control()
    limits = limits_of(control, PlayRules())
    return ChainLog(
        log=log,
        world="w",
        state=state,
        allowance=Allowance(world="w", state=state, limits=limits, control=control),
        watch=lambda _: None,
        seeker=await Seeker.of(log, "w"),
    )


async def written(place: VolatilePlace) -> list[Draft]:
    async with log_at(place) as log:
        return [event.draft for event in await events_of(log, "w")]


@settings(deadline=None, max_examples=15)
@given(st.sets(st.integers(1, 42), max_size=4))
async def test_killed_anywhere_and_gone_on_with_the_log_is_the_same(ends: set[int]) -> None:
    whole, parts = VolatilePlace(), VolatilePlace()
    await play(whole, turns())
    places = [0, *sorted(ends), len(turns())]
    for first, last in pairwise(places):
        await play(parts, turns()[first:last])
    assert await written(parts) == await written(whole)


@settings(deadline=None, max_examples=15)
@given(st.sets(st.integers(1, 42), min_size=1, max_size=4))
async def test_of_a_batch_that_never_landed_nothing_is_kept(refused: set[int]) -> None:
    """A batch is refused, and tried again as it should be: the log is as if it never was."""
    whole, other = VolatilePlace(), VolatilePlace()
    await play(whole, turns())
    async with log_at(other) as log:
        chain_log = await seeking(log)
        for number, batch in enumerate(turns()):
            if number in refused:
                bad = Draft(MarkPlaced("x"), witnesses=("Nobody",))
                with pytest.raises(Refused):
                    await chain_log.append([*batch, bad])
            await chain_log.append(batch)
    assert await written(other) == await written(whole)


async def test_what_is_found_stands_behind_its_turn_with_how_far_was_looked() -> None:
    place = VolatilePlace()
    await play(place, turns())
    drafts = await written(place)
    [found] = [one for one in drafts if isinstance(one.body, TellingFound)]
    where = drafts.index(found)
    assert found.cause == where  # the event right before it
    assert isinstance(drafts[where + 1].body, TellingsSought)
    assert drafts[-1].body == TellingsSought(len(drafts) - 1, RULE)
    async with log_at(place) as log:
        assert (await log.knowledge("w")).of(FACT, "Cid").answer == "told"


async def test_what_a_run_that_did_not_look_has_played_is_looked_through_when_it_goes_on() -> None:
    place = VolatilePlace()
    async with log_at(place) as log:
        for batch in turns()[:-1]:
            await log.append("w", batch)
    await play(place, turns()[-1:])
    causes = [one.cause for one in await written(place) if isinstance(one.body, TellingFound)]
    assert len(causes) == 1


async def test_looking_changes_no_story_and_no_prompt() -> None:
    async def played(rules: PlayRules) -> tuple[str, list[str]]:
        async with log_at(VolatilePlace()) as log:
            run = await chain_of_minds(log, ByDigest(), rules=rules)
            await chain.play(run, SETTING, episodes())
            return await digest_of(log), calls(await events_of(log))

    assert await played(PlayRules(tellings=True)) == await played(PlayRules())


async def test_at_the_end_of_each_episode_it_is_said_how_far_was_looked(log: Log) -> None:
    run = await chain_of_minds(log, ByDigest(), rules=PlayRules(tellings=True))
    await chain.play(run, SETTING, episodes())
    assert (await log.knowledge("ferry")).sought == (await log.head("ferry")).seq - 1


def calls(events: Sequence[Event]) -> list[str]:
    return [event.body.digest for event in events if isinstance(event.body, Called)]
