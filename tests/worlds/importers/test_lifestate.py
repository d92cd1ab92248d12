"""LIFESTATE-BENCH in and out: whatever form its text allows is one form, and nothing of it is lost."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Narrated, RelationSet
from whoknew.worlds.errors import BadDocument, BadSource, WorldError
from whoknew.worlds.importers.imported import ImportedWorld
from whoknew.worlds.importers.lifestate import form_of, read, worlds_of
from whoknew.worlds.importers.lifestate.world import BEGINS

OURS: dict[str, Any] = {
    "title": "The Lamp",
    "roles": {
        "Person1": {
            "background": "Keeps the lamp.",
            "personality": "Patient.",
            "relationships": {"Person2": "His daughter, whom he spoils."},
        },
        "Person2": {"background": "A girl of nine.", "relationships": "The child of Person1."},
    },
    "episodes": {
        "E1": {
            "title": "Oil",
            "location": "The lamp room",
            "time": "the same night",
            "narration": "Nine jars stand there.",
            "participants": ["Person1", "Person2"],
            "dialogues": [
                {"speaker": "Person1", "text": "How much oil is left?"},
                {"speaker": "Person2", "action": "counts the jars"},
                {"action": "The wind blows the door open."},
                {"speaker": "Person2", "text": "Eight jars.", "heard_by": []},
            ],
        },
        "E2": {
            "time": "1900-01-02 20:00",
            "participants": ["Person1", "Person3"],
            "dialogues": [{"speaker": ["Person1", "Person3"], "text": "Good night, then."}],
        },
    },
    "questions": {
        "E1": {
            "Q1": {
                "role": "Person1",
                "kind": "fact",
                "question": "Who counted the jars?",
                "answer": "My daughter did.",
                "evidence": [["E1#2"]],
            },
            "Q2": {
                "role": "Person2",
                "kind": "self",
                "question": "Who are you?",
                "answer": "A girl.",
            },
        },
        "E2": {
            "7": {
                "role": "Person1",
                "kind": "relation",
                "question": "How do you stand to Person2?",
                "answer": "I spoil her.",
            }
        },
    },
}


def brought(folder: Path, data: Any, name: str = "lamp.json") -> ImportedWorld:
    (folder / name).write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return next(iter(worlds_of(folder / name)))


def events_of(world: ImportedWorld) -> list[Event]:
    """As a log would have them."""
    at, found = BEGINS, list[Event]()
    for seq, draft in enumerate(world.drafts, start=1):
        at = draft.at or at
        event = Event(
            world=world.name,
            seq=seq,
            at=at,
            recorded=at,
            body=draft.body,
            episode=draft.episode or 0,
            turn=draft.turn or 0,
            actor=draft.actor,
            place=draft.place,
            witnesses=draft.witnesses,
            source=draft.source,
        )
        found.append(event)
    return found


def sent(world: ImportedWorld) -> Any:
    form, remarks = form_of(world.name, events_of(world), world.questions)
    assert not remarks
    return json.loads(msgspec.json.encode(form))


def mistakes(folder: Path, data: Any) -> list[str]:
    with pytest.raises(BadDocument) as error:
        brought(folder, data)
    return [str(one) for one in error.value.mistakes]


def changed(**other: Any) -> dict[str, Any]:
    return {**OURS, **other}


def test_what_comes_in_goes_out_as_it_came_in(tmp_path: Path) -> None:
    world = brought(tmp_path, OURS)
    assert sent(world) == OURS
    again = brought(tmp_path, sent(world))
    assert (again.drafts, again.questions) == (world.drafts, world.questions)


def test_all_who_take_part_hear_what_is_not_said_to_be_heard_by_fewer(tmp_path: Path) -> None:
    lines = [
        one for one in brought(tmp_path, OURS).drafts if isinstance(one.body, Acted | Narrated)
    ]
    both = ("Person1", "Person2")
    assert [one.witnesses for one in lines] == [
        both, both, both, ("Person2",), ("Person1", "Person3"),
    ]  # fmt: skip
    assert [one.source for one in lines] == ["E1#1", "E1#2", "E1#3", "E1#4", "E2#1"]


def test_cards_relations_times_and_places_are_told_to_those_whom_they_concern(
    tmp_path: Path,
) -> None:
    drafts = brought(tmp_path, OURS).drafts
    cards = {one.body.name: one for one in drafts if isinstance(one.body, CharacterAdded)}
    assert cards["Person1"].witnesses == ("Person1",)
    assert "Keeps the lamp." in cards["Person1"].body.words
    assert "Patient." in cards["Person1"].body.words
    assert "The child of Person1." in cards["Person2"].body.words and "Person3" in cards
    relation = next(one for one in drafts if isinstance(one.body, RelationSet))
    assert relation.body == RelationSet("Person1", "Person2", "His daughter, whom he spoils.")
    first, second = (one for one in drafts if isinstance(one.body, EpisodeOpened))
    assert first.place == "The lamp room" and "the same night" in first.body.words
    assert (second.at or BEGINS) - (first.at or BEGINS) > timedelta(0)


@pytest.mark.parametrize(
    "dialogues",
    [
        ["Person1: How much?", "(counts)", "Person2: Eight."],
        "Person1: How much?\n[counts]\nPerson2: Eight.\n",
        [["Person1", "How much?"], "[counts]", ["Person2", "Eight."]],
        [{"Person1": "How much?"}, {"action": "counts"}, {"Person2": "Eight."}],
        [
            {"Role": "Person1", "Content": "How much?"},
            {"stage direction": "counts"},
            {"character": "PERSON2", "utterance": "Eight."},
        ],
    ],
)
def test_a_dialogue_may_have_any_form(tmp_path: Path, dialogues: Any) -> None:
    roles = {"Person1": "Keeps the lamp.", "Person2": "A girl."}
    world = brought(tmp_path, {"Role Cards": roles, "Episodes": {"E1": {"Dialogue": dialogues}}})
    told = [(one.actor, one.body.words) for one in world.drafts if one.turn]
    assert told[:-1] == [("Person1", "How much?"), (None, "counts"), ("Person2", "Eight.")]
    assert world.drafts[1].body == CharacterAdded("Person1", "Keeps the lamp.")
    assert brought(tmp_path, sent(world)).drafts == world.drafts


ASKED = {"question": "Who are you?", "answer": "A girl."}


@pytest.mark.parametrize(
    "questions",
    [
        {"E1": [{**ASKED, "role": "Person2", "kind": "self-awareness"}]},
        {"e 1": {"Q1": {"Question": "Who are you?", "Reference Answer": "A girl.",
                        "Character": "person2", "Dimension": "Self-Perception"}}},
        {"E1": {"Person2": {"self": [["Who are you?", "A girl."]]}}},
        {"E1": {"self awareness": {"Person2": {"1": ASKED}}}},
        {"E1": {"Person2_self_1": ["Who are you?", "A girl."]}},
        [[{**ASKED, "role": {"name": "Person2"}, "type": "self"}]],
        {"E1": {"": {**ASKED, "role": "Person2", "kind": "self"}}},
    ],
)  # fmt: skip
def test_questions_may_have_any_form(tmp_path: Path, questions: Any) -> None:
    world = brought(tmp_path, changed(questions=questions))
    [one] = world.questions
    assert (one.character, one.kind, one.at) == ("Person2", "self", "E1")
    assert (one.question, one.reference) == ("Who are you?", "A girl.")
    assert one.evidence == ()
    assert brought(tmp_path, sent(world)).questions == world.questions


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("self-awareness", "Self-perception", "SELF"), "self"),
        (("factual episode memory retrieval", "memory and decision-making", "fact"), "fact"),
        (("relationship shift", "plot interaction", "rel"), "relation"),
    ],
)
def test_kinds_go_by_both_sets_of_the_papers_names(
    tmp_path: Path, names: tuple[str, ...], kind: str
) -> None:
    some = [{**ASKED, "role": "Person2", "kind": name} for name in names]
    world = brought(tmp_path, changed(questions={"E1": some}))
    assert [one.kind for one in world.questions] == [kind] * 3


def test_episodes_roles_and_questions_may_stand_in_files_of_their_own(tmp_path: Path) -> None:
    whole = brought(tmp_path, {key: one for key, one in OURS.items() if key != "title"})
    folder = tmp_path / "lamp.json.d"
    folder.mkdir()
    (folder / "script.json").write_text(json.dumps(OURS["episodes"]))
    (folder / "cards.json").write_text(json.dumps(OURS["roles"]))
    (folder / "qa.json").write_text(json.dumps(OURS["questions"]))
    [world] = worlds_of(folder)
    assert [one.question for one in world.questions] == [one.question for one in whole.questions]
    assert world.drafts[1:-1] == whole.drafts[1:-1]


def test_questions_may_stand_in_their_episodes(tmp_path: Path) -> None:
    episodes = [
        {"id": key, **episode, "QA": OURS["questions"][key]}
        for key, episode in OURS["episodes"].items()
    ]
    data = {**{key: OURS[key] for key in ("title", "roles")}, "episodes": episodes}
    assert sent(brought(tmp_path, data)) == OURS


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            changed(questions={"E9": {"Q1": ASKED}}),
            "lamp.json: questions.E9: 'E9' is no episode: there are",
        ),
        (
            changed(questions={"E1": {"Q1": ASKED}}),
            "questions.E1.Q1: does not say who is asked: give its `role`",
        ),
        (
            changed(questions={"E1": {"Q1": {**ASKED, "role": "Person9", "kind": "self"}}}),
            "questions.E1.Q1.role: 'Person9' is nobody here: ",
        ),
        (
            changed(questions={"E1": {"Q1": {**ASKED, "role": "Person1", "kind": "plot"}}}),
            "questions.E1.Q1.kind: 'plot' is no kind: self, fact, relation",
        ),
        (
            changed(
                questions={"E1": {"Q1": {"question": "Who?", "role": "Person1", "kind": "self"}}}
            ),
            "questions.E1.Q1: has no `answer`",
        ),
        (
            changed(questions={"E1": {"Q1": {**ASKED, "reference": "x", "role": "Person1"}}}),
            "questions.E1.Q1: says 'answer' and 'reference', which are one: leave one out",
        ),
        (
            changed(
                questions={
                    "E1": {"Q": {**ASKED, "role": "Person1", "kind": "self", "evidence": ["E1#9"]}}
                }
            ),
            "questions.E1.Q.evidence: 'E1#9' is no line: EPISODE#NUMBER",
        ),
        (changed(episodes={}), "there are none: what was asked about is missing"),
        (changed(episodes={"E1": {"title": "Oil"}}), "episodes.E1: has no `dialogues`"),
        (
            changed(episodes={"E1": {"dialogues": [{"speaker": "Person1"}]}}, questions={}),
            "episodes.E1.dialogues[0]",
        ),
        (
            changed(episodes={"E1": {"dialogues": [{"text": "Hm."}, 7]}}, questions={}),
            "episodes.E1.dialogues[1]: is no line",
        ),
        ({"weather": 1}, "lamp.json: holds neither episodes, nor roles, nor questions"),
        ('{"episodes": {"E1": 1, "E1": 2}}', "the key 'E1' stands there twice"),
        ('{"episodes":\n oops}', "lamp.json:2: is not JSON"),
        ("[" * 100_000, "goes deeper"),
    ],
)
def test_what_is_wrong_or_missing_is_told_with_its_path(
    tmp_path: Path, data: Any, told: str
) -> None:
    assert [one for one in mistakes(tmp_path, data) if told in one], mistakes(tmp_path, data)


def test_a_long_line_of_spaces_is_read_in_a_time_that_grows_with_it(tmp_path: Path) -> None:
    """One of 16,000 took a minute and a half."""
    line = " " * 1_000_000 + "(Dusk"
    world = brought(tmp_path, {"episodes": {"E1": {"dialogues": ["A : Hi ", line]}}})
    told = [one.body for one in world.drafts if isinstance(one.body, Acted | Narrated)]
    assert told == [Acted("Hi"), Narrated("(Dusk")]


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    data = changed(questions={"E1": {"Q1": ASKED}, "E9": {"Q1": ASKED}})
    assert len(mistakes(tmp_path, data)) == 3


def test_what_is_no_part_of_the_form_is_a_remark(tmp_path: Path) -> None:
    episodes = {"E1": {**OURS["episodes"]["E1"], "weather": "rain"}}
    world = brought(tmp_path, changed(episodes=episodes, questions={}, licence="own"))
    assert [str(one) for one in world.remarks] == [
        "lamp.json: licence: is no part of the form: left out",
        "lamp.json: episodes.E1.weather: is no part of the form: left out",
    ]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"none\.json is not there"):
        read(tmp_path / "none.json")


JUNK: list[Any] = [
    None, True, 7, 3.5, "", " ", "x", "A: b", "[c]", [], {}, [[]], ["a", "b"], {"a": 1}, [None],
    {"question": "q"}, {"speaker": "P"}, "Person1", {"name": {}}, "\n", "a" * 5000, {"": ""},
    ["a", ["b"]], [["Person1", "hi"]], {"Person1": ["x"]},
]  # fmt: skip


def spoilt(chance: Random) -> Any:
    """What was ours, with some of it replaced, gone, or called otherwise."""
    data = json.loads(json.dumps(OURS))
    for _ in range(chance.randint(1, 3)):
        value, inner = data, data
        for _ in range(chance.randint(1, 6)):
            if not isinstance(inner, dict | list) or not inner:
                break
            value = inner
            key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
            inner = value[key]
        match chance.random():
            case at if at < 0.6:
                value[key] = json.loads(json.dumps(chance.choice(JUNK)))
            case at if at < 0.8:
                del value[key]
            case _ if isinstance(value, dict):
                value[chance.choice(["x", "answer", "Q", "role", "dialogue", "", "E1"])] = inner
            case _:
                value.insert(0, inner)
    return data


def test_whatever_is_in_a_file_is_refused_in_words_or_goes_out_as_it_came_in(
    tmp_path: Path,
) -> None:
    taken = 0
    for seed in range(400):
        try:
            world = brought(tmp_path, spoilt(Random(seed)))
        except WorldError:
            continue
        taken += 1
        again = brought(tmp_path, sent(world))
        assert (again.drafts, again.questions) == (world.drafts, world.questions), seed
    assert 20 < taken < 380


def test_a_time_after_which_nothing_could_happen_is_told_as_a_text(tmp_path: Path) -> None:
    data = json.loads(json.dumps(OURS))
    for episode in data["episodes"].values():
        episode["time"] = "9999-12-31 23:59"
    world = brought(tmp_path, data)
    assert sent(world)["episodes"] == data["episodes"]
    assert all(draft.at is None or draft.at.year < 9999 for draft in world.drafts)
