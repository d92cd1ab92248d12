"""What several ask at once, word for word, is asked once: each has a record of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from whoknew.agents.memories.bookmarks.bookmarks import BookmarksEntry
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.playing import chain
from whoknew.engine.playing.ledger import LoggedModel
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Called, Remembered
from whoknew.eventlog.story import story_digest
from whoknew.testing.small_chain import events_of, run_of, volatile_log
from whoknew.worlds.setting import Character, Scenario, Setting

EIGHT = ("Ada", "Bram", "Cato", "Dora", "Edda", "Finn", "Gus", "Hilda")

SETTING = Setting(
    name="watch",
    title="The Watch",
    begins=datetime(1603, 1, 1, 22),
    characters=tuple(Character(name, nature="Quiet.") for name in EIGHT),
    scenarios=(
        Scenario(
            "night",
            "Fog.",
            EIGHT,
            goals={
                name: f'Say: "The lamp of {name}."\nSay: "The rope holds {name}."' for name in EIGHT
            },
            order="simultaneous",
            turns=3,
        ),
    ),
)

KEEPING = {"effect", "state", "keyword", "concept"}


class Alike:
    """Answers as `offline:` does, but whoever is about to act asks the same. It counts what it is asked."""

    name = "alike:"

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        reply = await Offline().complete(request)
        if request.answer is None or request.answer.__struct_fields__[0] != "bookmarks":
            return reply
        wanted: list[dict[str, Any]] = [
            {"question": "Where is the lamp of Ada now?", "kind": "state"},
            {"question": "Who is Dora?", "kind": "concept"},
            {"question": "What holds the rope now?", "kind": "state"},
        ]
        return replace(reply, text=msgspec.json.encode({"bookmarks": wanted}).decode())


async def played(log: Log, world: str, *, share: bool = True) -> tuple[list[Event], Alike]:
    model = Alike()

    class Unshared:
        name = model.name

        async def complete(self, request: Request) -> Reply:
            return await model.complete(request)

    def minds(ledger: Any) -> dict[str, Mind]:
        made = {}
        for who in EIGHT:
            voice = LoggedModel(who, Unshared(), None, ledger)
            voice = voice if share else Separate(voice)  # type: ignore[assignment]
            memory = BookmarksEntry(most=3).make(Owner(who=who))
            made[who] = Mind(who, voice, memory, Plain())
        return made

    run = await run_of(log, world, SETTING, minds)
    await chain.play(run, SETTING, list(SETTING.scenarios))
    return await events_of(log, world), model


class Separate:
    """Nothing of what it is asked may be shared."""

    def __init__(self, model: LoggedModel) -> None:
        self.name, self._model = model.name, model

    async def complete(self, request: Request) -> Reply:
        return await self._model.complete(replace(request, shared=False))


def calls(events: list[Event]) -> dict[int, Called]:
    return {one.seq: one.body for one in events if isinstance(one.body, Called)}


def keeps(called: Called) -> bool:
    return bool(KEEPING & set(msgspec.json.decode(called.reply or "{}")))


async def test_where_eight_witness_the_same_one_asks_what_keeps_answers_for_all() -> None:
    """With the same answers, and the same story."""
    async with volatile_log() as log:
        events, model = await played(log, "shared")
        alone, apart = await played(log, "apart", share=False)
    made = [one for one in calls(events).values() if keeps(one)]
    saved = sum(bool(one.answered_by) for one in made) / len(made)
    assert saved == 7 / 8, f"{saved:.2f} of {len(made)}"
    assert len(model.asked) == len(calls(events)) - sum(
        bool(one.answered_by) for one in calls(events).values()
    )
    assert len(apart.asked) == len(calls(alone)) == len(calls(events))
    told = [
        [(one.actor, one.body.text) for one in some if isinstance(one.body, Remembered)]
        for some in (events, alone)
    ]
    assert told[0] == told[1] != []
    assert replaced(events, "w") == replaced(alone, "w")


def replaced(events: list[Event], world: str) -> str:
    return story_digest([replace(one, world=world) for one in events])


async def test_each_who_asked_has_a_record_that_names_the_call_that_was_made() -> None:
    async with volatile_log() as log:
        events, _ = await played(log, "w")
    made = calls(events)
    for seq, one in made.items():
        if one.answered_by:
            call = made[one.answered_by]
            assert one.answered_by < seq and not call.answered_by
            assert (one.digest, one.reply, one.attempts) == (call.digest, call.reply, 0)


@pytest.mark.parametrize("number", [3, 11, 30, 58])
async def test_gone_on_with_after_any_call_it_comes_to_the_same_story(number: int) -> None:
    async with volatile_log() as log:
        whole, _ = await played(log, "w")
    cut = list(calls(whole))[number]
    async with volatile_log() as log:
        await log.append("w", [one.draft for one in whole[:cut]])
        events, model = await played(log, "w")
        assert story_digest(events) == story_digest(whole)
        sent = [one for one in list(calls(events).values()) if not one.answered_by]
        before = sum(not one.answered_by for one in calls(whole[:cut]).values())
        assert len(model.asked) == len(sent) - before
