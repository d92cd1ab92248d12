"""A memory that keeps a note before each turn of its character, with a call for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_runner import run
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Note
from whoknew.agents.memories.memory import Memory, Occasion, Piece, Recollection, recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Reply, Request
from whoknew.engine.errors import Suspended
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted, Called, Failed, Remembered
from whoknew.eventlog.story import story_digest
from whoknew.testing.small_chain import SETTING, chain_of_minds, episodes, events_of
from whoknew.testing.stub_models import ByDigest
from whoknew.worlds.setting import Order

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")


class Diary(Memory):
    async def before_turn(self, now: Occasion) -> tuple[Note, ...]:
        asked = Message("user", f"{now.life.who}, note what matters at [{len(now.view)}].")
        text = await insist(now.model, Request("note", (asked,)), str, 0)
        return (Note("diary", text, (len(now.view),)),)

    async def recollect(self, now: Occasion) -> Recollection:
        began = now.life.now.first if now.life.now else 0
        notes = [Piece(note.text, (place,), place) for place, note in now.life.notes]
        return recollection([one for one in notes if one.places[0] < began], now.budget)


class SparingDiary(Diary):
    """Asks as the other does, and keeps what only one of them is told."""

    async def before_turn(self, now: Occasion) -> tuple[Note, ...]:
        notes = await super().before_turn(now)
        return notes if now.life.who == "Oda" else ()


class Killed(BaseException):
    """As if the process were gone: nothing catches it."""


class Wordless(ByDigest):
    """Has nothing to note."""

    async def complete(self, request: Request) -> Reply:
        reply = await super().complete(request)
        return Reply(text="") if request.purpose == "note" else reply


class Talking(ByDigest):
    """Does nothing that makes no sense."""

    async def complete(self, request: Request) -> Reply:
        await super().complete(request)
        return Reply(text="Rain." if request.purpose == "note" else '{"act": "none"}')


async def played(
    place: VolatilePlace,
    model: ByDigest,
    order: Order,
    appends: int | None = None,
    diary: type[Diary] = Diary,
) -> list[Event]:
    """The chain, gone on with, until it is over or so many appends are through."""
    async with log_at(place) as log:
        if appends is not None:
            dying(log, appends)
        try:
            scenarios = episodes(order)[:2]
            one = await chain_of_minds(log, model, memory=lambda who: diary())
            await chain.play(one, SETTING, scenarios)
        except Killed:
            pass
        except BaseExceptionGroup as group:
            if group.subgroup(Killed) is None:
                raise
        return await events_of(log)


def dying(log: Log, appends: int) -> None:
    append, done = log.append, 0

    async def until(*given: Any, **more: Any) -> Any:
        nonlocal done
        if done == appends:
            raise Killed
        done += 1
        return await append(*given, **more)

    log.append = until  # type: ignore[method-assign]


def notes(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if isinstance(event.body, Remembered)]


@pytest.mark.parametrize("order", ORDERS)
async def test_its_notes_are_on_the_log_before_its_action_and_nobody_else_sees_them(
    order: Order,
) -> None:
    events = await played(VolatilePlace(), ByDigest(), order)
    acted = [one for one in events if isinstance(one.body, Acted)]
    assert len(notes(events)) >= len(acted) > 5
    for one in acted:
        (note,) = [
            note
            for note in notes(events)
            if (note.episode, note.turn, note.actor) == (one.episode, one.turn, one.actor)
        ]
        assert note.seq < one.seq and note.witnesses == (one.actor,)


@pytest.mark.parametrize("diary", [Diary, SparingDiary])
@pytest.mark.parametrize("order", ORDERS)
async def test_killed_after_any_append_it_tells_the_same_story_and_pays_for_nothing_twice(
    order: Order, diary: type[Diary]
) -> None:
    whole = await played(VolatilePlace(), ByDigest(), order, diary=diary)
    place, events, lives = VolatilePlace(), list[Event](), 0
    while not events or story_digest(events) != story_digest(whole):
        paid, life = answered(events), ByDigest()
        events = await played(place, life, order, 1, diary)
        assert not paid & set(life.calls)
        lives += 1
        assert lives <= len(whole), "it goes on"
    assert lives > 20, "it was killed after each append"
    assert len(answered(events)) == sum(isinstance(one.body, Called) for one in events)


def answered(events: Sequence[Event]) -> set[str]:
    return {one.body.digest for one in events if isinstance(one.body, Called)}


@pytest.mark.parametrize("order", ORDERS)
async def test_a_note_that_could_not_be_had_is_a_failure_and_the_turn_goes_on(order: Order) -> None:
    events = await played(VolatilePlace(), Wordless(), order)
    failed = [one for one in events if isinstance(one.body, Failed) and one.body.what == "memory"]
    acted = [one for one in events if isinstance(one.body, Acted)]
    assert notes(events) == [] and len(failed) >= len(acted) > 5


@pytest.mark.parametrize("order", ORDERS)
async def test_a_plan_that_would_rather_stop_is_suspended_where_a_note_could_not_be_had(
    order: Order,
) -> None:
    """And goes on when there is one."""
    place, scenarios = VolatilePlace(), episodes(order)[:1]
    rules = PlayRules(when_bad="suspend")
    async with log_at(place) as log:
        one = await chain_of_minds(log, Wordless(), rules=rules, memory=lambda who: Diary())
        with pytest.raises(Suspended, match="has nothing to keep before its turn"):
            await chain.play(one, SETTING, scenarios)
        assert not any(isinstance(event.body, Acted) for event in await events_of(log))
        one = await chain_of_minds(log, Talking(), rules=rules, memory=lambda who: Diary())
        await chain.play(one, SETTING, scenarios)


@pytest.mark.parametrize("order", ORDERS)
async def test_each_call_says_what_its_character_was_asked_for(order: Order) -> None:
    for one in await played(VolatilePlace(), ByDigest(), order):
        if isinstance(one.body, Called):
            assert one.body.occasion == ("before_turn" if one.body.purpose == "note" else "act")


MODULE = '''
from whoknew.agents.agent import Note
from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Request

class Diary(Memory):
    async def before_turn(self, now):
        asked = Message("user", f"{now.life.who}, note what matters at [{len(now.view)}].")
        text = await insist(now.model, Request("note", (asked,)), str, 0)
        return (Note("diary", text, (len(now.view),)),)

    async def recollect(self, now):
        return recollection([], now.budget)

    async def remember(self, now):
        asked = Message("user", f"{now.life.who}, sum up what matters.")
        text = await insist(now.model, Request("note", (asked,)), str, 0)
        return (Note("sum", text, (len(now.view),)),)

class DiaryEntry(MemoryEntry, frozen=True):
    """a note before each turn"""

    calls_a_turn = 1

    def make(self, owner):
        return Diary()
'''


def test_its_prompts_can_be_made_again_and_the_story_too(tmp_path: Path) -> None:
    (tmp_path / "diary_kept.py").write_text(MODULE)
    log, plan = tmp_path / "l.db", tmp_path / "plan.toml"
    plan.write_text(
        f'world = "flatmates"\nlog = "{log}"\n[episodes]\nturns = 4\n'
        '[agents.everyone]\nmemory = "diary_kept:DiaryEntry"\n'
    )
    run("run", plan)
    shown = json.loads(run("prompt", "flatmates", "E1.T2", "--log", log, "--json").stdout)
    calls = [call for one in shown for call in one["calls"]]
    assert [call["called"]["purpose"] for call in calls] == ["note", "act"]
    assert all(call["digest"] == call["called"]["digest"] for call in calls)
    decisions = json.loads(run("prompt", "flatmates", "E1", "--log", log, "--json").stdout)
    calls = [call for one in decisions for call in one["calls"]]
    assert [call["called"]["occasion"] for call in calls].count("remember") >= 2
    assert all(call["digest"] == call["called"]["digest"] for call in calls)
    assert all(one["outcome"] is not None for one in decisions)
    assert "same story" in run("rerun", "flatmates", "--log", log).stdout
