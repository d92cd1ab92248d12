"""Prompts, made again from the log: to the byte what the model was given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from diner_world import WORLD, events_of, nights
from model_servers import by_digest, serving
from msgspec.structs import replace
from small_worlds import NIGHT

from whoknew.agents.models.model import Message, Request
from whoknew.agents.prompts import text
from whoknew.engine.errors import BadQuestion
from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.prompt import Again, prompts
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import Acted, Called, Planned
from whoknew.testing.small_chain import SETTING


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


async def test_every_prompt_of_a_world_comes_out_as_it_was(log: Log) -> None:
    calls = {one.seq for one in await events_of(log) if isinstance(one.body, Called)}
    turns = {
        (one.episode, one.turn) for one in await events_of(log) if isinstance(one.body, Called)
    }
    seen = set()
    for episode, turn in turns:
        for decision in await prompts(log, WORLD, f"E{episode}.T{turn}"):
            assert decision.calls
            for call in decision.calls:
                assert call.agrees, (episode, turn, call.called.purpose)
                seen.add(call.seq)
    assert seen == calls


@pytest.mark.parametrize("order", ["round-robin", "simultaneous", "random"])
@pytest.mark.parametrize("method", ["plain", "stepwise"])
async def test_bad_answers_places_and_orders_too(tmp_path: Path, order: Any, method: Any) -> None:
    async with serving("openai", after=by_digest) as server:
        plan = Plan(
            world="ferry",
            episodes=Episodes(order=order, turns=8, stale=4),
            agents={"everyone": Seat(model=f"{server.url}#m", memory="recall", method=method)},
        )
        async with open_run(Program.of(plan, SETTING, str(tmp_path / "f.db"))) as run:
            await run.survey()
            await run.play()
            events = await events_of(run.log, "ferry")
            turns = {(one.episode, one.turn) for one in events if isinstance(one.body, Called)}
            found = [
                call
                for episode, turn in turns
                for decision in await prompts(run.log, "ferry", f"E{episode}.T{turn}")
                for call in decision.calls
            ]
    assert len(found) == sum(isinstance(one.body, Called) for one in events)
    assert all(call.agrees for call in found)


async def test_a_changed_prompt_template_is_seen(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    (before,) = await prompts(log, WORLD, "E2.T3")
    usual = text.prompt
    changed = lambda name: usual(name).replace("in few and", "in many")
    monkeypatch.setattr("whoknew.agents.prompts.text.prompt", changed)
    (after,) = await prompts(log, WORLD, "E2.T3")
    assert before.calls[0].agrees
    assert not after.calls[0].agrees
    assert after.calls[0].called == before.calls[0].called


async def test_what_came_of_it_is_the_characters_act(log: Log) -> None:
    (decision,) = await prompts(log, WORLD, "E2.T3")
    assert decision.outcome is not None
    assert isinstance(decision.outcome.body, Acted)
    assert decision.outcome.actor == decision.character
    assert decision.cursor < decision.calls[0].seq


async def test_one_character_can_be_picked(log: Log) -> None:
    (decision,) = await prompts(log, WORLD, "E2.T3")
    assert await prompts(log, WORLD, "E2.T3", decision.character)
    who = decision.character
    told = (
        f"Cyril asked no model at E2.T3 of '{WORLD}', {who} did: --who {who} shows what was asked"
    )
    with pytest.raises(BadQuestion, match=told):
        await prompts(log, WORLD, "E2.T3", "Cyril")
    with pytest.raises(NoSuchCharacter, match="Cyrill"):
        await prompts(log, WORLD, "E2.T3", "Cyrill")
    with pytest.raises(BadQuestion, match="nobody has acted yet"):
        await prompts(log, WORLD, "#3")


async def test_prompts_that_were_kept_are_shown_where_there_is_no_plan(log: Log) -> None:
    async with open_log(":memory:") as other:
        drafts = [
            replace(one.draft, body=replace(one.body, prompt=None))
            if isinstance(one.body, Called)
            else one.draft
            for one in (await events_of(log))[:100]
            if not isinstance(one.body, Planned)
        ]
        await other.append("w", drafts)
        (decision,) = await prompts(other, "w", "E1.T3")
    assert decision.why is not None and "not played by a plan" in decision.why
    assert decision.calls[0].digest is None
    assert not decision.calls[0].messages


async def test_calls_that_were_made_side_by_side_come_out_in_whichever_order_they_were_answered() -> (
    None
):
    asked = [Request("look", (Message("user", f"Question {number}?"),)) for number in range(4)]
    events = [
        Event(
            world="w",
            seq=seq,
            at=NIGHT,
            recorded=NIGHT,
            body=Called("look", "m", asked[number].digest, reply=f"Answer {number}."),
        )
        for seq, number in enumerate([2, 0, 3, 1], start=1)
    ]
    again = Again(events)
    replies = await asyncio.gather(*map(again.complete, asked))
    assert [one.text for one in replies] == [f"Answer {number}." for number in range(4)]
    assert all(one.digest == one.called.digest for one in again.calls())
