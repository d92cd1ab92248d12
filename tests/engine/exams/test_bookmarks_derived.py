"""Bookmarks of characters whose world holds none: derived before each of their actions."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest
from remembered_lives import (
    WORLD,
    events_on,
    exam_about,
    lives,
    logged,
    notes_of,
    plan_of,
)
from small_worlds import opened
from watch_exams import dying, sat

from whoknew.agents.lines import line
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import KeptAnswer, Proposal
from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, read_record
from whoknew.agents.memories.bookmarks.record import (
    BookmarkChange,
    Proposed,
    StepRecord,
    packed,
)
from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Acted, Called, MemoryDerived, Remembered
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.volatile import VolatileStore

PLAN = plan_of("bookmarks")

EIGHT = ("Ada", "Bram", "Cato", "Dora", "Edda", "Finn", "Gus", "Hilda")

SYNCHRONISING = {"effect", "state", "shows", "behavior", "keyword", "concept"}


class Alike:
    """Answers as `offline:` does, but whoever is about to act asks the same."""

    name = "offline:"

    async def complete(self, request: Request) -> Reply:
        reply = await Offline().complete(request)
        if request.answer is None or request.answer.__struct_fields__[0] != "bookmarks":
            return reply
        wanted = [
            {"question": "Where is Ada now?", "kind": "state"},
            {"question": "What does Bram want of Cato now?", "kind": "state"},
            {"question": "Who is Dora?", "kind": "concept"},
            {"question": "What is the lamp?", "kind": "concept"},
            {"question": "Who holds the rope now?", "kind": "state"},
        ]
        return msgspec.structs.replace(
            reply, text=msgspec.json.encode({"bookmarks": wanted}).decode()
        )


def heard_by_all(count: int, people: tuple[str, ...] = EIGHT) -> list[Draft]:
    """A life in which everybody hears each line, and acts in turn."""
    chance, drafts = Random(count), opened(*people)
    for number in range(count):
        text = " ".join(chance.choices([*EIGHT, "lamp", "rope", "burns", "holds"], k=4))
        actor = people[number % len(people)]
        drafts.append(Draft(Acted(text), episode=1, turn=number, actor=actor, witnesses=people))
    return drafts


async def derived(folder: Path, drafts: list[Draft], people: Iterable[str]) -> list[Event]:
    exam = exam_about(folder, [(who, len(drafts)) for who in people], PLAN)
    kept = VolatileStore()
    async with logged(drafts) as about:
        await sat(exam, about, kept, Alike())
    return await events_on(kept)


async def test_a_step_is_derived_before_each_own_action_up_to_where_is_asked(
    tmp_path: Path,
) -> None:
    drafts = lives(Random(3), 4)
    exam, kept = exam_about(tmp_path, [("Horatio", len(drafts))], PLAN), VolatileStore()
    async with logged(drafts) as about:
        await sat(exam, about, kept, Offline())
        view = await about.view(WORLD, "Horatio", "end")
        events = await view.events()
    told = [at for at, event in enumerate(events) if line(1, event)]
    own = [at for at in told[1:] if "Horatio" in actors(events[at])]
    notes = notes_of(await events_on(kept))
    assert [note.upto for note in notes] == [events[at - 1].seq for at in own]
    bank = BookmarkBank()
    for note in notes:
        record = read_record(note.packed)
        assert record is not None and bank.fits(record)
        bank.take(record)
        assert all(seq <= note.upto and seq in view for seq in note.sources)
    assert bank.tally.steps == len(own) and bank.tally.hits > 0


async def test_what_several_ask_word_for_word_is_asked_once_and_answered_the_same(
    tmp_path: Path,
) -> None:
    """They act one after another, so that each has another last line before it: the stretches that how
    things stand is folded in are the same, but for the last."""
    drafts = heard_by_all(72)
    events = await derived(tmp_path, drafts, EIGHT)
    made = {event.seq: event.body for event in events if isinstance(event.body, Called)}
    answered = [one for one in made.values() if one.answered_by]
    for one in answered:
        call = made[one.answered_by]
        assert (one.digest, one.reply, call.answered_by) == (call.digest, call.reply, 0)
        assert (one.tokens_in, one.tokens_out, one.attempts) == (call.tokens_in, call.tokens_out, 0)
    keeping = [one for one in made.values() if kept_by(one)]
    saved = sum(bool(one.answered_by) for one in keeping) / len(keeping)
    assert saved >= 0.5, f"{saved:.2f} of {len(keeping)} calls"
    for who in EIGHT[:2]:
        alone = await derived(tmp_path / who, drafts, [who])
        assert told_by(alone, who) == told_by(events, who) != []


class AtOnce:
    """Answers as `offline:` does, all that is asked at once at the same moment, or the last of it first;
    and asks how somebody talks in other words each time."""

    name = "offline:"

    def __init__(self, *, last_first: bool) -> None:
        self._last_first, self._now, self.asked = last_first, 0, 0

    async def complete(self, request: Request) -> Reply:
        self._now, self.asked = self._now + 1, self.asked + 1
        for _ in range(max(0, 16 - self._now) if self._last_first else 4):
            await asyncio.sleep(0)
        self._now -= 1
        reply = await Offline().complete(request)
        text = reply.text.replace("talk?", f"talk {request.digest[:6]}?")
        return msgspec.structs.replace(reply, text=text)


async def test_however_answers_come_the_bank_is_the_same_and_each_is_on_the_log_and_paid_for_once(
    tmp_path: Path,
) -> None:
    drafts, banks = heard_by_all(48), list[list[tuple[str, tuple[int, ...]]]]()
    exam = exam_about(tmp_path, [(who, len(drafts)) for who in EIGHT[:2]], PLAN)
    for number, last_first in enumerate((True, False)):
        model, kept = AtOnce(last_first=last_first), tmp_path / f"{number}.db"
        async with logged(drafts) as about:
            await sat(exam, about, SqliteStore(kept), model)
        events = await events_on(SqliteStore(kept))
        banks.append([one for who in EIGHT[:2] for one in told_by(events, who)])
        calls = [event.body for event in events if isinstance(event.body, Called)]
        sent = [one for one in calls if not one.answered_by]
        assert len(sent) == model.asked
        assert len({one.digest for one in sent if kept_by(one)}) == sum(map(kept_by, sent))
        made = {event.seq: event.body for event in events if isinstance(event.body, Called)}
        for one in calls:
            assert not one.answered_by or made[one.answered_by].digest == one.digest
    assert banks[0] == banks[1] != []


def kept_by(called: Called) -> bool:
    """Whether a call brings an answer up to date."""
    return bool(SYNCHRONISING & set(msgspec.json.decode(called.reply or "{}")))


def told_by(events: list[Event], who: str) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (event.body.text, event.body.sources)
        for event in events
        if isinstance(event.body, MemoryDerived) and event.body.owner == who
    ]


async def test_what_was_played_with_bookmarks_of_other_settings_is_asked_by_banks_of_its_arms_own(
    tmp_path: Path,
) -> None:
    """Also where those were kept of every turn: neither they nor the portrait before them are taken."""
    plain = heard_by_all(40, EIGHT[:2])
    foreign = Proposal("Who is the miller?", "concept")
    record = StepRecord(
        who="Ada",
        at=1,
        proposed=(Proposed(foreign, 1),),
        changes=(BookmarkChange(number=1, begun=foreign, answer=KeptAnswer("Nobody.", (1,))),),
    )
    bank = Remembered("Ada", STRATEGY, "Nobody.", (3,), packed=zlib.compress(packed(record)))
    portrait = Remembered("Ada", "profile", "I mill.", (3,))
    for played in (bank, portrait):
        note = Draft(played, episode=1, actor="Ada", witnesses=("Ada",))
        drafts = [*plain[:4], note, *plain[4:]]
        told = dict[str, list[str]]()
        for kind, lived in (("plain", plain), ("played", drafts)):
            exam = exam_about(tmp_path / kind, [("Ada", len(lived))], ARMS)
            kept = VolatileStore()
            async with logged(lived) as about:
                await sat(exam, about, kept, Offline())
            told[kind] = sorted(text for text, _ in told_by(await events_on(kept), "Ada"))
        assert told["played"] == told["plain"] != []


STORY = """
exam = "questions"
name = "watch"
material = "lives.db"
questions = "questions.jsonl"
[arms."unsafe:bookmarks"]
memory = "unsafe:bookmarks"
"unsafe:bookmarks" = { acts = 4, most = 2 }
"""


async def test_the_bank_of_a_story_goes_by_who_was_major_so_far_whatever_comes_later(
    tmp_path: Path,
) -> None:
    """Ada acts often from the beginning on, Bram most in the end."""
    ada, bram = (
        Draft(Acted("The lamp burns."), episode=1, actor=who, witnesses=EIGHT[:2])
        for who in EIGHT[:2]
    )
    cut = [*opened(*EIGHT[:2]), *[ada] * 5, *[bram] * 3, *[ada] * 3]
    found = list[list[tuple[str, tuple[int, ...]]]]()
    for lived in ([*cut, *[bram] * 4], cut):
        exam = exam_about(tmp_path / str(len(lived)), [("Ada", len(lived))], STORY)
        kept = VolatileStore()
        async with logged(lived) as about:
            await sat(exam, about, kept, Offline())
        found.append(told_by(await events_on(kept), ""))
    assert found[1] == found[0][: len(found[1])] != found[0]


ARMS = """
exam = "questions"
name = "watch"
material = "lives.db"
questions = "questions.jsonl"
[arms.bookmarks]
memory = "bookmarks"
bookmarks = { profile = true, most = 1 }
[arms.no-derive]
memory = "bookmarks"
bookmarks = { profile = true, most = 1, derives = false }
[arms.no-profile]
memory = "bookmarks"
bookmarks = { most = 1 }
"""


async def test_the_profile_before_bookmarks_is_written_each_sixteen_actions_and_once_for_all_arms(
    tmp_path: Path,
) -> None:
    drafts = heard_by_all(70, EIGHT[:2])
    exam, kept = exam_about(tmp_path, [("Ada", len(drafts))], ARMS), VolatileStore()
    async with logged(drafts) as about:
        await sat(exam, about, kept, Offline())
    events = await events_on(kept)
    portraits = [note for note in notes_of(events) if note.strategy == "profile"]
    upto = [seq for seq, draft in enumerate(drafts, 1) if draft.actor == "Ada"]
    own = [sum(note.upto > one for one in upto) for note in portraits]
    assert sorted(own) == [16, 16, 32, 32], "of each of the two arms that keep it"
    asked = [
        event.body
        for event in events
        if isinstance(event.body, Called) and '"portrait"' in (event.body.reply or "")
    ]
    assert sum(not one.answered_by for one in asked) == 2 < len(asked)
    assert len({one.digest for one in asked}) == 2


@pytest.mark.parametrize("after", [3, 17, 40])
async def test_killed_anywhere_it_goes_on_to_the_same_bank_and_pays_for_no_call_twice(
    after: int, tmp_path: Path
) -> None:
    drafts = heard_by_all(24)
    whole = await derived(tmp_path / "whole", drafts, EIGHT[:3])
    exam = exam_about(tmp_path, [(who, len(drafts)) for who in EIGHT[:3]], PLAN)
    kept = VolatileStore()
    async with logged(drafts) as about:
        with suppress(StoreUnavailable):
            await sat(exam, about, dying(kept, after), Alike())
        await sat(exam, about, kept, Alike())
    events = await events_on(kept)
    for who in EIGHT[:3]:
        assert told_by(events, who) == told_by(whole, who)
    sent = [
        event.body.digest
        for event in events
        if isinstance(event.body, Called) and not event.body.answered_by and kept_by(event.body)
    ]
    assert len(sent) == len(set(sent))
