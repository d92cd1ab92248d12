"""Questions that are made by rule of what happened: right by an independent look at the log."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import asdict, replace
from shared_data import data
from small_worlds import opened, said
from tangled_worlds import reached

from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.exams.timechara.asked_world import (
    AskedFor,
    AskedWorld,
    SomeEvent,
    asked_worlds,
)
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.fakes import STRATEGIES, FalseEvent
from whoknew.engine.exams.timechara.free import free_questions
from whoknew.engine.exams.timechara.grid import grid
from whoknew.engine.judges.moment_words import judged
from whoknew.engine.judges.reference import counted
from whoknew.eventlog import Draft, Event, open_log
from whoknew.eventlog.kinds import Acted, Doubted, EpisodeClosed, EpisodeOpened, GoalGiven
from whoknew.eventlog.words import words
from whoknew.worlds import question
from whoknew.worlds.importers.play import bundled, world_of
from whoknew.worlds.question import Question

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j", "the-lamp-room")
WANTED = AskedFor(each=100, speeches=5, mode="witness", seed=1)


class Asked:
    """A play, and all that is asked about it."""

    def __init__(self, path: Path) -> None:
        self.events: list[Event] = []
        self.worlds: list[AskedWorld] = []
        self.ends: dict[str, int] = {}
        asyncio.run(self._read(path))
        self.questions = questions(self.worlds, WANTED)
        (self.world,) = self.worlds
        self.told = [(one.told(), one) for one in (*self.world.events, *self.world.told)]
        self.doubts = {
            (one.cause, name)
            for one in self.events
            if isinstance(one.body, Doubted)
            for name in one.body.names
        }

    async def _read(self, path: Path) -> None:
        source = world_of(path)
        async with open_log(":memory:") as log:
            await log.append(source.name, source.drafts)
            self.events = await (await log.director(source.name)).events()
            self.worlds = await asked_worlds(log, [source.name], WANTED)
            for point in self.worlds[0].points.every:
                self.ends[point.at] = (await log.cursor(source.name, point.at)).seq

    def event(self, one: Question) -> SomeEvent:
        """The event that a question is of: the one with whose words its label begins."""
        _, _, label = one.labels["temporal"].partition(" that ")
        return next(event for told, event in self.told if label.startswith(told))


def in_all_ways(asked: Asked, event: AskedEvent, draw: Random) -> list[FalseEvent]:
    """It falsely, once by each strategy that it has."""
    told = partial(asked.world.false.told_by, event=event, draw=draw, then=asked.world.then(event))
    return [found for strategy in STRATEGIES if (found := told(strategy))]


@pytest.fixture(scope="module", params=PLAYS)
def asked(request: pytest.FixtureRequest) -> Asked:
    ours = bundled()
    return Asked(ours.get(request.param) or data("shakespeare", f"{request.param}.xml"))


def test_the_types_are_what_the_log_makes_them(asked: Asked) -> None:
    for one in asked.questions:
        event = asked.event(one)
        there = one.character in asked.events[event.seq - 1].witnesses
        later = event.seq > asked.ends[one.at]
        assert (one.kind == "future") == later, one
        if one.tags[0] == "structured" and not later:
            assert one.kind == ("past-presence" if there else "past-absence"), one
        elif not later:
            assert one.kind == "past-only"
        assert later or (event.seq, one.character) not in asked.doubts, "nothing doubtful"


def test_they_rest_on_what_was_witnessed_by_then(asked: Asked) -> None:
    for one in asked.questions:
        for seq in (seq for some in one.evidence for seq in some):
            assert isinstance(seq, int) and seq <= asked.ends[one.at]
            assert one.character in asked.events[seq - 1].witnesses
        assert one.evidence or one.kind in ("future", "past-absence")


def test_a_sentence_fits_no_other_event(asked: Asked) -> None:
    told = [event.told() for event in asked.world.events]
    assert len(set(told)) == len(told)
    texts = [" ".join(words(one.text)) for one in asked.events]
    for event in asked.world.events:
        quote = f" {' '.join(words(event.quote))} "
        assert sum(quote in f" {text} " for text in texts) == 1, event


def test_no_free_question_names_its_own_answer(asked: Asked) -> None:
    for event in asked.world.events:
        for you in ("", event.who):
            for one in free_questions(event, you):
                assert f" {' '.join(words(one.key))} " not in f" {' '.join(words(one.text))} ", one
                assert not counted(one.key).keys() <= counted(one.text).keys(), one


def test_a_false_sentence_differs_in_its_slot_alone(asked: Asked) -> None:
    found: list[FalseEvent] = []

    async def tell() -> None:
        draw = Random(1)
        for event in asked.world.events[::5]:
            for told in in_all_ways(asked, event, draw):
                was, now = asdict(event), asdict(told.event)
                assert [key for key in was if was[key] != now[key]] == [told.slot]
                if told.slot == "quote":
                    assert now["quote"].replace(told.false, told.true, 1) == was["quote"]
                elif told.slot == "knowing":
                    assert told.false == f"{event.who} knew by then that {now['knowing'].told()}"
                else:
                    assert (was[told.slot], now[told.slot]) == (told.true, told.false)
                assert replace(told.event, **{told.slot: was[told.slot]}).told() == event.told()
                assert told.event.told() != event.told()
                found.append(told)

    asyncio.run(tell())
    assert {one.strategy for one in found} >= set(STRATEGIES) - {"what it did not know"}


def test_what_is_told_falsely_is_false_by_the_log(asked: Asked) -> None:
    """Each by its strategy, of every event that has it; by what stands in the log alone."""
    texts = [" ".join(words(one.text)) for one in asked.events]
    spoken = {word for text in texts for word in text.split()}
    spoken.update(word for one in asked.events for name in one.witnesses for word in words(name))
    draw, found = Random(2), Counter[str]()
    for event in asked.world.events[::3]:
        there = asked.events[event.seq - 1]
        for one in in_all_ways(asked, event, draw):
            match one.strategy:
                case "another character":
                    assert one.false in asked.world.people and one.false != there.actor
                case "another object":
                    quote = f" {' '.join(words(one.event.quote))} "
                    assert not any(quote in f" {text} " for text in texts), one
                case "another place":
                    assert one.false != there.place and not set(words(one.false)) >= set(
                        words(there.place or "")
                    )
                case "another action":
                    assert one.false not in ("said", "said aside") and one.true == event.did
                case "somebody who is not there":
                    assert spoken.isdisjoint(set(words(one.false)) - {"a", "an", "the"}), one
                case "what it did not know":
                    assert one.event.knowing is not None
                    seq = one.event.knowing.seq
                    assert seq < event.seq and event.who not in asked.events[seq - 1].witnesses
                    assert event.who not in reached(asked.events, seq, event.seq)
            found[one.strategy] += 1
    assert set(found) >= set(STRATEGIES) - {"what it did not know", "another place"}


def test_who_is_asked_of_what_another_did_not_know_heard_it(asked: Asked) -> None:
    """Whether somebody knew of what one does not know oneself nobody can say, but of oneself."""
    told, others = {event.told(): event for event in asked.world.events}, 0
    for one in asked.questions:
        if one.labels.get("strategy") == "what it did not know":
            event = asked.event(one)
            assert isinstance(event, AskedEvent)
            who, _, what = one.labels["false"].partition(" knew by then that ")
            there = asked.events[told[what].seq - 1].witnesses
            assert who == event.who not in there and told[what].seq < event.seq
            assert one.character == event.who or one.character in there, one
            others += one.character != event.who
            assert "did not know by then that " in (one.reference or "")
    assert others or len(asked.world.events) < 300


def test_words_beside_an_event_are_asked_for_of_who_heard_them(asked: Asked) -> None:
    texts = {one.seq: " ".join(words(one.text)) for one in asked.events}
    found = 0
    for one in asked.questions:
        if one.kind == "past-only" and one.tags[:2] in (("fact", "when"), ("fact", "what")):
            if not isinstance(asked.event(one), AskedEvent):
                continue
            (_, (seq,)), event = one.evidence, asked.event(one)
            assert (int(seq) < event.seq) == (one.tags[1] == "when")
            assert one.character in asked.events[int(seq) - 1].witnesses
            assert " ".join(words(one.labels["key"])) in texts[int(seq)]
            assert (seq, one.character) not in asked.doubts
            found += 1
    assert found


def test_the_right_answer_is_right_and_one_to_the_contrary_is_wrong(asked: Asked) -> None:
    contrary = {
        "future": "I was there, and remember it well.",
        "past-absence": "I stood beside them, and heard every word.",
        "past-presence": "I was not there.",
        "past-only": "I do not know.",
    }
    for one in asked.questions:
        scores, _ = judged(one.reference or "", one.labels)
        assert set(scores.values()) == {1.0}, one
        scores, _ = judged(contrary[one.kind], one.labels)
        assert 0.0 in scores.values(), one


def test_each_stratum_is_full_where_the_world_has_as_much(asked: Asked) -> None:
    counts = Counter((one.kind, one.tags[0]) for one in asked.questions)
    if len(asked.world.events) > 300:
        assert set(counts.values()) == {100} and len(counts) == 6
    assert len({one.id for one in asked.questions}) == len(asked.questions)


def test_the_same_world_gives_the_same_questions(asked: Asked) -> None:
    assert questions(asked.worlds, WANTED) == asked.questions
    assert questions(asked.worlds, replace(WANTED, seed=2)) != asked.questions


def test_nothing_that_is_asked_tells_the_number_of_an_episode(asked: Asked) -> None:
    """It would tell how much happened unseen."""
    assert not any(re.search(r"\bepisode \d|#\d|\bE\d", one.question) for one in asked.questions)


async def test_what_no_question_can_hold_is_not_asked_about() -> None:
    """A name of 300 letters; a control sign in a speech."""
    long = "A" * 300
    async with open_log(":memory:") as log:
        drafts = opened("Ann", "Bob", long)
        for number in range(1, 4):
            drafts.append(Draft(EpisodeOpened("Tea.", ("Ann", "Bob", long)), None, number))
            drafts += [
                said(
                    "Ann",
                    f"The {number} kettle sings \x07 on its blue hook.",
                    "Bob",
                    episode=number,
                ),
                said(
                    "Bob", f"It sang {number} times in that winter of ours.", "Ann", episode=number
                ),
                said(
                    long, f"My {number} cups stand idle in their cupboard.", "Ann", episode=number
                ),
                Draft(EpisodeClosed("over"), None, number),
            ]
        await log.append("w", drafts)
        wanted = replace(WANTED, speeches=1, each=20)
        found = questions(await asked_worlds(log, ["w"], wanted), wanted)
    assert found and {one.character for one in found} == {"Ann", "Bob"}
    assert not any(list(question.faults(one)) or "\x07" in one.question for one in found)


async def test_judges_are_told_what_was_said_around_an_event_and_of_no_goal() -> None:
    """Neither of its own episode, nor of what is said in the next, which lies ahead."""
    async with open_log(":memory:") as log:
        drafts = opened("Ann", "Bob")
        for number in (1, 2):
            drafts.append(Draft(EpisodeOpened("Tea.", ("Ann", "Bob")), None, number))
            drafts += [
                Draft(GoalGiven(who, "Win the kettle."), None, number, witnesses=(who,))
                for who in ("Ann", "Bob")
            ]
            for who, other in (("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Bob")):
                words = f"{who} counts cup {len(drafts)} of tea {number}."
                drafts.append(said(who, words, other, episode=number))
            drafts.append(Draft(EpisodeClosed("over"), None, number))
        await log.append("w", drafts)
        wanted = replace(WANTED, speeches=1, each=20)
        found = questions(await asked_worlds(log, ["w"], wanted), wanted)
    told = [one.labels["temporal"] for one in found if one.at == "E1" and one.kind != "future"]
    assert told and not any("Win the kettle" in one or "of tea 2" in one for one in told)


async def test_who_stood_by_at_a_whisper_is_not_asked_whether_it_was_there() -> None:
    """It was, and heard nothing of it; who was elsewhere is."""
    async with open_log(":memory:") as log:
        drafts = opened("Ann", "Bob", "Cid", "Dov")
        for number, cast in ((1, ("Ann", "Bob", "Cid")), (2, ("Ann", "Dov"))):
            drafts.append(Draft(EpisodeOpened("Tea.", cast), None, number))
            for who, others in zip(cast, (cast[1:], cast[:1], cast[:2]), strict=False):
                words = f"{who} counts every cup of tea number {number}."
                drafts.append(said(who, words, *others, episode=number))
            if number == 1:
                whisper = Acted("The blue kettle holds our money.", to=("Bob",))
                drafts.append(Draft(whisper, None, 1, actor="Ann", witnesses=("Ann", "Bob")))
            drafts.append(said("Ann", f"Let us drink {number} cups.", *cast[1:], episode=number))
            drafts.append(Draft(EpisodeClosed("over"), None, number))
        await log.append("w", drafts)
        wanted = replace(WANTED, speeches=1, each=50)
        worlds = await asked_worlds(log, ["w"], wanted)
        every = [*questions(worlds, wanted), *grid(worlds, wanted)]
    asked = [
        (one.character, one.kind)
        for one in every
        if one.tags[0] == "structured" and "blue kettle" in one.question and one.kind != "future"
    ]
    assert set(asked) == {
        ("Ann", "past-presence"),
        ("Bob", "past-presence"),
        ("Dov", "past-absence"),
    }
