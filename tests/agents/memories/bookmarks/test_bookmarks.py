"""Bookmarks as a memory: a step before each turn, written down; what passes is not kept."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace
from small_worlds import opened, said

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.asking import ModelOperators
from whoknew.agents.memories.bookmarks.bookmarks import BookmarksEntry
from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, KeptBank, read_record
from whoknew.agents.memories.bookmarks.record import StepRecord, packed
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.agents.memories.event_pages import PAGE
from whoknew.agents.memories.memory import Memory, Occasion
from whoknew.agents.models.model import LOOK, Model, Reply, Request, Routed, tokens_of
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.playing import chain
from whoknew.eventlog import Draft, Event, Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, Remembered
from whoknew.testing.occasion import occasion
from whoknew.testing.small_chain import (
    PEOPLE,
    SETTING,
    chain_of_minds,
    episodes,
    events_of,
    volatile_log,
)

ENTRY = BookmarksEntry()


@asynccontextmanager
async def played(model: Model | None = None) -> AsyncIterator[tuple[Log, list[Event]]]:
    async with volatile_log() as log:
        run = await chain_of_minds(
            log, model or Offline(), memory=lambda who: ENTRY.make(Owner(who=who))
        )
        await chain.play(run, SETTING, episodes())
        yield log, await events_of(log)


async def bank_at(view: View) -> KeptBank:
    kept = KeptBank()
    await kept.catch_up(view)
    return kept


async def test_a_step_is_written_down_before_each_turn_and_nowhere_else() -> None:
    async with played() as (_, events):
        own = {who: [one for one in events if one.actor == who] for who in PEOPLE}
        for who, mine in own.items():
            some = [one for one in mine if isinstance(one.body, Acted | Remembered)]
            for before, one in pairwise(some):
                if isinstance(one.body, Acted):
                    kept = before.body
                    assert isinstance(kept, Remembered) and kept.strategy == STRATEGY
                    assert before.witnesses == (who,) and before.turn == one.turn
            steps = [one for one in some if isinstance(one.body, Remembered)]
            assert steps and all(read_record(one.body.packed) for one in steps)  # type: ignore[union-attr]


async def test_the_bank_at_a_cursor_is_to_the_last_field_that_of_a_world_cut_there() -> None:
    async with played() as (log, events):
        for cut in range(10, len(events), 7):
            await log.append(f"cut {cut}", [one.draft for one in events[:cut]])
            for who in PEOPLE:
                whole = await bank_at(await log.view("ferry", who, AtSeq(cut)))
                part = await bank_at(await log.view(f"cut {cut}", who))
                assert list(whole.bank) == list(part.bank)
                assert (whole.bank.at, whole.bank.active) == (part.bank.at, part.bank.active)


async def test_others_have_their_turn_while_a_long_view_is_caught_up_with() -> None:
    said = [
        Draft(Acted(f"Line {number}."), episode=1, actor=PEOPLE[0], witnesses=PEOPLE)
        for number in range(10 * PAGE)
    ]
    async with volatile_log() as log:
        await log.append("long", [*opened(*PEOPLE), *said])
        view, turns = await log.view("long", PEOPLE[0], "end"), 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        kept = await bank_at(view)
        beside.cancel()
    assert len(kept.happened) == len(said) and turns >= 10


async def test_what_a_model_writes_without_spaces_is_cut_to_what_a_record_can_hold() -> None:
    class Spaceless(Offline):
        async def complete(self, request: Request) -> Reply:
            reply = await super().complete(request)
            written = dict.fromkeys(("state", "behavior", "concept", "keyword"), "他" * 50_000)
            told = msgspec.json.decode(reply.text)
            fields = told.keys() & written.keys() if isinstance(told, dict) else ()
            text = msgspec.json.encode(told | {one: written[one] for one in fields}).decode()
            return replace(reply, text=text) if fields else reply

    async with played(Spaceless()) as (_, events):
        notes = [one.body for one in events if isinstance(one.body, Remembered)]
        records = [read_record(one.packed) for one in notes if one.strategy == STRATEGY]
    assert records and all(records)
    assert max(len(one.text) for one in notes) < 20_000


async def test_what_an_answer_rests_on_stands_in_its_owners_view() -> None:
    async with played() as (log, events):
        for event in events:
            if isinstance(event.body, Remembered):
                view = await log.view("ferry", event.actor or "", AtSeq(event.seq - 1))
                assert all(seq in view for seq in event.body.sources)
                known = [one for one in event.body.text.splitlines() if not one.endswith("unknown")]
                assert bool(known) == bool(event.body.sources)


@asynccontextmanager
async def grown() -> AsyncIterator[tuple[Log, Memory, Occasion, Counting]]:
    """Oda, who has done forty things, with a profile before her bookmarks."""
    async with volatile_log() as log:
        await log.append("w", [*opened("Oda", "Kit")])
        said = [
            ("Kit", f"Is net {n} torn, Oda?") if n % 2 else ("Oda", f"I mend net {n}.")
            for n in range(80)
        ]
        await log.append(
            "w",
            [
                Draft(Acted(text), episode=1, actor=who, witnesses=("Oda", "Kit"))
                for who, text in said
            ],
        )
        model, memory = Counting(), BookmarksEntry(profile=True).make(Owner(who="Oda"))
        yield log, memory, await occasion(await log.view("w", "Oda"), model=model), model


async def test_a_profile_is_kept_beside_bookmarks_when_it_is_due_and_stands_before_them() -> None:
    async with grown() as (log, memory, now, model):
        portrait, step = await memory.before_turn(now)
        assert (portrait.strategy, step.strategy) == ("profile", STRATEGY)
        fields = [one.answer.__struct_fields__[0] for one in model.asked if one.answer]
        assert fields[:2] == ["portrait", "bookmarks"] and fields.count("portrait") == 1
        assert (
            "I mend net 0." in portrait.text and "I mend net 0." in model.asked[1].messages[1].text
        )
        assert all("Who you are" not in one.messages[1].text for one in model.asked[2:])
        drafts = [
            Draft(
                Remembered("Oda", one.strategy, one.text, one.sources, packed=one.packed),
                episode=1,
                actor="Oda",
                witnesses=("Oda",),
            )
            for one in (portrait, step)
        ]
        await log.append("w", drafts)
        then = await occasion(await log.view("w", "Oda"), model=(again := Counting()))
        found = await memory.recollect(then)
        assert again.asked == [] and len(found.pieces) > 1
        assert found.pieces[0].text.startswith("Who you are, as you wrote it down: ")
        assert [one.strategy for one in await memory.before_turn(then)] == [STRATEGY]


async def test_what_is_brought_to_mind_of_profile_and_bookmarks_has_one_budget() -> None:
    async with grown() as (_, memory, now, _):
        whole = await memory.recollect(now)
        profile = tokens_of(whole.pieces[0].text)
        for budget in (profile // 2, profile + 5, profile + 60):
            found = await memory.recollect(replace(now, budget=budget))
            assert tokens_of(found.text) <= budget
            assert (found.pieces[:1] == whole.pieces[:1]) == (budget >= profile + 5)
            assert found.left_out == tokens_of(whole.text) - tokens_of(found.text)


class Counting:
    """Answers as `offline:` does, and keeps what it is asked."""

    name = "counting:"

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return await Offline().complete(request)


async def test_a_question_takes_a_step_that_passes_and_changes_nothing_of_the_bank() -> None:
    async with played() as (log, _):
        view = await log.view("ferry", "Oda")
        memory, model = ENTRY.make(Owner(who="Oda")), Counting()
        now = await occasion(view, "Who is Kit?", model=model)
        asked = Occasion(
            view=view, life=now.life, model=model, about="Who is Kit?", question="Who is Kit?"
        )
        first = await memory.recollect(asked)
        assert model.asked and "Who is Kit?" in model.asked[0].messages[1].text
        assert first.pieces and "as you wrote it down" in first.text
        before = await memory.before_turn(now)
        assert before == await ENTRY.make(Owner(who="Oda")).before_turn(now)
        assert await memory.recollect(asked) == first


async def test_who_has_taken_its_step_acts_by_that_and_nobody_is_asked_again() -> None:
    async with played() as (log, events):
        last = [one for one in events if isinstance(one.body, Remembered) and one.actor == "Oda"][
            -1
        ]
        view, model = await log.view("ferry", "Oda", AtSeq(last.seq)), Counting()
        now = await occasion(view, model=model)
        found = await ENTRY.make(Owner(who="Oda")).recollect(now)
        assert found.pieces and model.asked == []


async def test_what_only_looks_something_over_is_asked_of_the_small_model() -> None:
    async with played() as (log, _):
        large, small = Counting(), Counting()
        now = await occasion(await log.view("ferry", "Oda"), model=Routed(large, {LOOK: small}))
        await ENTRY.make(Owner(who="Oda")).before_turn(now)
        fields = {one.answer.__struct_fields__[0] for one in small.asked if one.answer}
        assert fields <= {"effect", "state", "shows"} and "effect" in fields
        fields = {one.answer.__struct_fields__[0] for one in large.asked if one.answer}
        assert "bookmarks" in fields and not fields & {"effect", "state", "shows"}


async def test_what_keeps_an_answer_up_to_date_tells_no_place_and_nobodys_name_but_in_its_lines() -> (
    None
):
    """So that two who witnessed the same ask the same."""
    async with played() as (log, _):
        model = Counting()
        now = await occasion(await log.view("ferry", "Bram"), model=model)
        await ENTRY.make(Owner(who="Bram")).before_turn(now)
        for one in model.asked[1:]:
            system, user = (message.text for message in one.messages)
            assert "Bram" not in system
            assert not any(line.startswith("[") for line in user.splitlines())


@pytest.mark.parametrize("packed", [b"", b"x", b"x\x9c", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_what_somebody_else_packed_is_no_record(packed: bytes) -> None:
    assert read_record(packed) is None


async def test_by_rule_is_said_what_the_offline_model_says() -> None:
    """The one is told lines, the other a prompt with them in it."""
    lines = [Line(f"[{at}] Oda does nothing.", at, "Oda") for at in (4, 7)]
    lines += [Line('[9] Kit says: "The lamp of Oda."', 9, "Kit", "The lamp of Oda.", act="speak")]
    asked, rules = ModelOperators(Offline(), 0), RuleOperators()
    for question in ("Where is Oda now?", "Who holds the lamp?", "What is 1 to 7?", "Who is Nell?"):
        for some in (lines, lines[:2]):
            assert await asked.effect(question, "unknown", some) == (
                await rules.effect(question, "unknown", some)
            )
            assert await asked.update(question, "unknown", some) == (
                await rules.update(question, "unknown", some)
            )
            assert await asked.concept(question, some) == await rules.concept(question, some)
        assert await asked.behavior(question, lines) == await rules.behavior(question, lines)
        assert await asked.keyword(question) == await rules.keyword(question)
        for at in (1, 2):
            assert await asked.shows(question, lines[at], lines[:at]) == (
                await rules.shows(question, lines[at], lines[:at])
            )


async def test_a_question_takes_a_step_of_its_own_also_right_behind_one() -> None:
    async with played() as (log, events):
        *_, last = [
            one for one in events if isinstance(one.body, Remembered) and one.actor == "Oda"
        ]
        view, model = await log.view("ferry", "Oda", AtSeq(last.seq)), Counting()
        now = await occasion(view, model=model)
        await ENTRY.make(Owner(who="Oda")).recollect(replace(now, question="Who is Kit?"))
        assert "Who is Kit?" in model.asked[0].messages[1].text


@pytest.mark.parametrize(("owner", "at", "steps"), [("Oda", 3, 1), ("Kit", 3, 0), ("Oda", 4, 0)])
async def test_a_step_of_somebody_else_or_of_what_is_yet_to_happen_is_none_of_the_bank(
    owner: str, at: int, steps: int
) -> None:
    data = zlib.compress(packed(StepRecord(who="Oda", at=at)))
    kept = Remembered(owner, STRATEGY, "", (), 0, data)
    async with volatile_log() as log:
        lines = [said("Oda", f"Net {number}.", "Kit", episode=1) for number in range(3)]
        noted = Draft(kept, episode=1, actor=owner, witnesses=("Oda", "Kit"))
        await log.append("w", [*opened("Oda", "Kit"), *lines, noted])
        found = await bank_at(await log.view("w", "Oda"))
        assert (len(found.happened), found.bank.tally.steps) == (3, steps)
