"""Events that are told in a sentence: those that come with our worlds, held against these worlds as they
are played offline, and those of a file that is given."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, run
from msgspec.structs import replace

from whoknew.agents.lines import line
from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.timechara.asked_world import AskedFor, AskedWorld, asked_worlds
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.event_sentences import (
    SHIPPED,
    EventSentence,
    ToldEvent,
    addressed,
    faults,
    read,
)
from whoknew.engine.exams.timechara.scene_checks import CheckedScene, fact_fault, fake_fault
from whoknew.engine.exams.timechara.scene_draft import DraftedFact, DraftedFake
from whoknew.engine.exams.timechara.sentence_checks import SceneWords, one_sentence
from whoknew.engine.exams.timechara.story_scenes import story_scenes
from whoknew.engine.judges.moment_words import judged
from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.plan.plan import Plan
from whoknew.engine.running.run import play
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.words import terms, words
from whoknew.worlds import shelf

WORLDS = (*shelf.bundled(), "the-lamp-room")
WANTED = AskedFor(each=100, speeches=1, mode="witness", seed=1)


class Played:
    """A world of ours, played offline, with what is asked about it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.events = name, list[Event]()
        self.world: AskedWorld
        asyncio.run(self._play(str(folder / f"{name}.db")))

    async def _play(self, address: str) -> None:
        if self.name in shelf.bundled():
            await play(Plan(self.name), address)
        else:
            await import_worlds("play", self.name, address)
        async with open_log(address, read_only=True) as log:
            self.events = await (await log.director(self.name)).events()
            [self.world] = await asked_worlds(log, [self.name], WANTED)

    @property
    def file(self) -> Path:
        file = shelf.events_of(self.name)
        assert file is not None
        return file


@pytest.fixture(scope="module", params=WORLDS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(request.param, tmp_path_factory.mktemp("played"))


def test_each_of_ours_stands_where_it_says(played: Played) -> None:
    shipped = [one for _, one in read(played.file)]
    told = [played.world.told_in.placed(one, SHIPPED) for one in shipped]
    assert [one for one in told if isinstance(one, str)] == []
    assert len(played.world.told) == len(shipped)


def test_each_of_ours_is_one_sentence_in_the_past_that_names_who_does_it(played: Played) -> None:
    for event in played.world.told:
        assert one_sentence(event.sentence) is None, event
        actors = {played.events[seq - 1].actor or "" for seq in event.seqs}
        assert any(holds_name(name, event.sentence) for name in actors), event


def test_each_of_ours_fits_no_other_episode_as_well(played: Played) -> None:
    episodes: dict[int, list[str]] = {}
    for event in played.events:
        if event.episode:
            episodes.setdefault(event.episode, []).append(line(0, event))
    known = SceneWords([" ".join(some) for some in episodes.values()], played.world.told_in.people)
    numbers = list(episodes)
    for told in played.world.told:
        assert known.another(told.sentence, numbers.index(told.episode)) is None, told


def test_what_ours_ask_beside_is_as_good_as_a_model_has_to_be(played: Played) -> None:
    scenes, people = story_scenes(played.events), played.world.told_in.people
    known = SceneWords([one.text for one in scenes], people)
    spoken = frozenset(word for event in played.events for word in words(event.text))
    for told in played.world.told:
        for number, scene in enumerate(scenes):
            seqs = [event.seq for event in scene.events]
            if told.seq not in seqs or not (told.facts or told.fakes):
                continue
            checked = CheckedScene(
                scene=scene, number=number, words=known, people=people, spoken=spoken
            )
            evidence = [seqs.index(seq) + 1 for seq in told.seqs]
            lines = checked.lines(evidence)
            for one in told.facts:
                drafted = DraftedFact(one.word, one.text, one.answer, one.key)
                assert fact_fault(drafted, told.sentence, lines, checked) is None, one
            for fake in told.fakes:
                false = DraftedFake(
                    fake.sentence, fake.true, fake.false, fake.question, fake.answer
                )
                wrong = fake_fault(false, told.sentence, fake.strategy, checked, evidence)
                assert wrong is None, (wrong, fake)
    assert any(told.facts for told in played.world.told)


def test_each_episode_has_one_of_ours(played: Played) -> None:
    episodes = {one.episode for one in played.events if one.episode}
    assert {one.episode for one in played.world.told} == episodes


def test_what_is_asked_of_ours_is_right_by_the_log(played: Played) -> None:
    some = [
        one
        for one in questions([played.world], replace(WANTED, each=1000))
        if f"origin {SHIPPED}" in one.tags
    ]
    assert {one.kind for one in some} >= {"future", "past-presence"}
    ends = {point.at: point.seq for point in played.world.points.every}
    for one in some:
        event = next(
            it for it in played.world.told if f"that {it.clause}" in one.labels["temporal"]
        )
        there = [one.character in played.events[seq - 1].witnesses for seq in event.seqs]
        assert (one.kind == "future") == (event.first > ends[one.at])
        if one.kind != "future":
            if one.tags[0] == "structured":
                assert one.kind == ("past-presence" if all(there) else "past-absence")
            assert all(there) or not any(there), "who was there for a part is not asked"
        scores, _ = judged(one.reference or "", one.labels)
        assert set(scores.values()) == {1.0}


def test_a_name_keeps_its_capital_behind_when(played: Played) -> None:
    for event in played.world.told:
        first = event.sentence.split()[0]
        assert event.clause.startswith(first if first != "The" else "the")
        assert not event.clause.endswith(".")


# a file that is given


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    run("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")
    plan = tmp_path / "lamp.toml"
    text = plan.read_text("utf-8").replace("# each = 100 ", "each = 10 ")
    text = text.replace('questions = "lamp.jsonl"', 'events = "events.jsonl"')
    plan.write_text(text.replace("# speeches = 5", "speeches = 2"), "utf-8")
    return plan


OIL = {
    "world": "the-lamp-room",
    "sentence": "Wren counted nine jars of oil, and eleven with those of the chapel.",
    "evidence": ["Nine jars with ours"],
    "facts": [
        {
            "word": "how",
            "text": "How did Wren come to eleven jars of oil?",
            "answer": "By those that God lends.",
            "key": "God lends",
        }
    ],
    "fakes": [
        {
            "strategy": "another character",
            "sentence": "Dr Lisk counted nine jars of oil, and eleven with those of the chapel.",
            "true": "Wren",
            "false": "Dr Lisk",
            "question": "What do you make of it that Dr Lisk counted nine jars of oil?",
            "answer": "No, it was Wren who counted them.",
        }
    ],
}


def given(*events: dict[str, Any]) -> None:
    Path("events.jsonl").write_text("".join(json.dumps(one) + "\n" for one in events), "utf-8")


def rows(plan: Path, origin: str) -> list[dict[str, Any]]:
    found = answer("exam", "questions", plan, "--origin", origin, "--limit", "500")
    return [one["question"] for one in found["rows"]]


def test_events_of_a_file_are_asked_of_with_their_questions(made: Path) -> None:
    given(OIL)
    some = rows(made, "given")
    assert any("Wren counted nine jars" in one["question"] for one in some)
    facts = [one for one in some if "how" in one["tags"]]
    assert {one["question"] for one in facts} == {"How did Wren come to eleven jars of oil?"}
    [fake] = {one["reference"] for one in some if "fake" in one["tags"]}
    assert fake == "No, it was Wren who counted them."
    assert {one["kind"] for one in facts} <= {"future", "past-only"} and facts
    told = answer("exam", "run", made, "--only", "zero-shot")["table"]
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in told["rows"])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"evidence": ["no such words"]}, "stands in no event"),
        ({"evidence": ["the"]}, "events of 'the-lamp-room'"),
        ({"evidence": [100_000]}, "stands in no event"),
        ({"evidence": []}, "name 1 to 12"),
        ({"world": "the-lamp-rom"}, "the-lamp-room"),
        ({"sentence": "Wren counts nine jars of oil."}, "no verb in the past tense"),
        ({"sentence": "Wren counted nine jars. Wren slept."}, "not one sentence"),
        ({"facts": [{"word": "whether", "text": "a", "answer": "b", "key": "c"}]}, "whether"),
        ({"fakes": [{**OIL["fakes"][0], "strategy": "a lie"}]}, "a lie"),  # type: ignore[index]
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(
    made: Path, change: dict[str, Any], why: str
) -> None:
    given(OIL, {**OIL, **change})
    said = run("exam", "check", made, rc=1).stderr
    assert why in said and "events.jsonl" in said and "2" in said


def test_a_file_that_is_not_there_is_refused(made: Path) -> None:
    assert "events.jsonl" in run("exam", "check", made, rc=1).stderr


def test_every_form_of_a_sentence_is_checked_alike() -> None:
    good = "Tobias told Mr. Quill that the ice boat was late."
    assert one_sentence(good) is None
    assert one_sentence('Tobias said to Ruta, "I am here. Who is there?"') is None
    for bad in (
        "Tobias tells Ruta that the ice boat was late.",
        "Tobias told Ruta. She left at once then.",
        "Did Tobias tell Ruta that it was late?",
        "Tobias told Ruta that the boat is late.",
        "Tobias left.",
        "Tobias told Ruta that the ice boat was late",
        "Tobias told Ruta\nthat the ice boat was late.",
    ):
        assert one_sentence(bad) is not None, bad
    assert list(faults(EventSentence(world="w", sentence=good, evidence=(1,)))) == []
    assert terms(good)


def test_whom_a_sentence_names_is_told_that_it_is_meant() -> None:
    event = ToldEvent(
        world="w",
        seqs=(3,),
        episode=1,
        sentence="Emil wished his aunt well, as Emil does.",
        clause="Emil wished his aunt well, as Emil does",
    )
    assert event.told("Emil") == "Emil (you) wished his aunt well, as Emil does"
    assert event.told("Emil", by=True) == "Emil (that is me) wished his aunt well, as Emil does"
    assert event.told("EMIL") == event.told("Emil") and event.is_by("EMIL")
    assert event.told("Vera") == event.told() == event.clause
    assert (
        addressed("Was it Emil's lease that Vera saw?", "Emil")
        == "Was it Emil's lease that Vera saw?"
    )
