"""What is refused of what a model writes of scenes: each check by one that it alone catches."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from small_worlds import opened, said

from whoknew.engine.exams.timechara import fakes
from whoknew.engine.exams.timechara.scene_checks import (
    CHECKS,
    CheckedScene,
    fact_fault,
    fake_fault,
    gold_fault,
    sentence_fault,
)
from whoknew.engine.exams.timechara.scene_draft import (
    DraftedFact,
    DraftedFake,
    DraftedGold,
    DraftedSentence,
)
from whoknew.engine.exams.timechara.sentence_checks import SceneWords
from whoknew.engine.exams.timechara.story_scenes import LEAST, MOST, story_scenes
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened
from whoknew.eventlog.words import words
from whoknew.worlds.question import Question

LINES = (
    ("Ann", "The kettle has a crack from the lid to the spout, and I blame the frost of Sunday."),
    ("Bob", "Then I shall carry the kettle to the tinker in Hollin, before the mill is shut."),
    (
        "Ann",
        "Take the blue basket, and bring back candles, for mine are all burnt down to the tin.",
    ),
    ("Bob", "Candles, a kettle, and no word to Cyril, who would only laugh at us for a week."),
    ("Ann", "He laughs as a gate does that nobody has oiled since the old man went away to sea."),
)


@dataclass
class Tea:
    checked: CheckedScene
    unsure: frozenset[str] = frozenset()


@pytest.fixture
async def tea() -> Tea:
    """Ann and Bob talk; in another episode Ann and Cyril do, of other things."""
    async with open_log(":memory:") as log:
        drafts = opened("Ann", "Bob", "Cyril")
        for number, other in ((1, "Bob"), (2, "Cyril")):
            drafts.append(Draft(EpisodeOpened("Tea.", ("Ann", other)), None, number))
            for who, text in LINES:
                speaker = who if who == "Ann" else other
                told = text if number == 1 else " ".join(f"{word}ish" for word in text.split())
                hearer = other if speaker == "Ann" else "Ann"
                drafts.append(said(speaker, told, hearer, episode=number))
            drafts.append(Draft(EpisodeClosed("over"), None, number))
        await log.append("w", drafts)
        events = await (await log.director("w")).events()
    scenes = story_scenes(events)
    people = ("Ann", "Bob", "Cyril")
    spoken = frozenset(word for event in events for word in words(event.text))
    return Tea(
        CheckedScene(
            scene=scenes[0],
            number=0,
            words=SceneWords([one.text for one in scenes], people),
            people=people,
            spoken=spoken,
        )
    )


SENTENCE = "Bob promised Ann to carry the kettle to the tinker in Hollin."
GOOD = DraftedSentence(sentence=SENTENCE, evidence=(2,), people=("Ann", "Bob"))

BAD_SENTENCES = {
    "wording": {"sentence": f"{SENTENCE}\x07"},
    "length": {"sentence": "Bob promised Ann."},
    "one sentence": {"sentence": f"{SENTENCE[:-1]}. So it was."},
    "past tense": {"sentence": "Bob promises Ann that the tinker is in Hollin."},
    "evidence": {"evidence": (99,)},
    "support": {"sentence": "Bob promised Ann a purple elephant beneath moonlit cathedrals."},
    "names": {"sentence": "Cyril carried the kettle to the tinker in Hollin."},
    "people": {"people": ("Ann",)},
}


async def test_a_good_one_passes(tea: Tea) -> None:
    assert sentence_fault(GOOD, tea.checked, ()) is None
    unsure = replace(GOOD, people=("Ann",))
    assert sentence_fault(unsure, tea.checked, ("Bob",)) is None, "who may have been there"


@pytest.mark.parametrize("check", BAD_SENTENCES)
async def test_a_sentence_is_refused(tea: Tea, check: str) -> None:
    wrong = sentence_fault(replace(GOOD, **BAD_SENTENCES[check]), tea.checked, ())
    assert wrong is not None and wrong.check == check


async def test_a_sentence_that_fits_another_scene_is_refused(tea: Tea) -> None:
    same = SceneWords([tea.checked.scene.text] * 2, tea.checked.people)
    checked = replace(tea.checked, words=same)
    wrong = sentence_fault(GOOD, checked, ())
    assert wrong is not None and wrong.check == "unique"


FACTUAL = DraftedFact(
    word="where",
    question="Where did Bob promise to carry the cracked kettle?",
    answer="Bob promised to carry it to the tinker in Hollin.",
    key="tinker in Hollin",
)
BAD_FACTS = {
    "kind": {"word": "why"},
    "wording": {"answer": "To the tinker in Hollin.\x07"},
    "length": {"answer": "the tinker in Hollin " * 40},
    "one question": {"question": "Where did Bob promise to carry the kettle? And who was there?"},
    "pronoun": {"question": "Where did he promise to carry the cracked kettle?"},
    "another event": {"question": "Where was it?"},
    "key": {"key": "the moon"},
    "given away": {"question": "Where did Bob promise to carry it, to the tinker in Hollin?"},
    "support": {
        "answer": "Bob flew with a purple elephant beneath moonlit cathedrals.",
        "key": "purple elephant",
    },
}


async def test_a_good_question_passes(tea: Tea) -> None:
    assert fact_fault(FACTUAL, SENTENCE, tea.checked.lines((2,)), tea.checked) is None


@pytest.mark.parametrize("check", BAD_FACTS)
async def test_a_question_is_refused(tea: Tea, check: str) -> None:
    bad = replace(FACTUAL, **BAD_FACTS[check])
    wrong = fact_fault(bad, SENTENCE, tea.checked.lines((2,)), tea.checked)
    assert wrong is not None and wrong.check == check


FALSE = {
    fakes.CHARACTER: DraftedFake(
        sentence="Cyril promised Ann to carry the kettle to the tinker in Hollin.",
        true="Bob",
        false="Cyril",
        question="What did Ann think when Cyril promised to carry the kettle?",
        answer="No, it was Bob who promised that.",
    ),
    fakes.OBJECT: DraftedFake(
        sentence="Bob promised Ann to carry the ladder to the tinker in Hollin.",
        true="kettle",
        false="ladder",
        question="What was wrong with the ladder that Bob promised to carry to the tinker?",
        answer="It was not a ladder, but the kettle.",
    ),
    fakes.PLACE: DraftedFake(
        sentence="Bob promised Ann to carry the kettle to the tinker in Marrow.",
        true="Hollin",
        false="Marrow",
        question="How far was it to the tinker in Marrow to whom Bob promised to go?",
        answer="It was not Marrow, it was Hollin.",
    ),
    fakes.ACTION: DraftedFake(
        sentence="Bob promised Ann to sell the kettle to the tinker in Hollin.",
        true="carry",
        false="sell",
        question="For how much did Bob promise to sell the kettle?",
        answer="Bob did not promise to sell it, but to carry it.",
    ),
    fakes.ADDED: DraftedFake(
        sentence="Bob promised Ann and Perpetua Hask to carry the kettle to the tinker in Hollin.",
        true="",
        false="Perpetua Hask",
        question="What did Perpetua Hask say when Bob promised to carry the kettle?",
        answer="There was no Perpetua Hask.",
    ),
    fakes.KNOWING: DraftedFake(
        sentence="Bob, who knew of the will, promised Ann to carry the kettle to the tinker in Hollin.",
        true="",
        false="who knew of the will",
        question="What made Bob, who knew of the will, promise to carry the kettle?",
        answer="Bob did not know of any will.",
    ),
}


@pytest.mark.parametrize("strategy", fakes.STRATEGIES)
async def test_a_false_sentence_passes_that_differs_in_its_slot_alone(
    tea: Tea, strategy: str
) -> None:
    assert fake_fault(FALSE[strategy], SENTENCE, strategy, tea.checked, (2,)) is None
    for other, one in FALSE.items():
        if (one.true == "") != (FALSE[strategy].true == ""):
            assert fake_fault(one, SENTENCE, strategy, tea.checked, (2,)) is not None, other


BAD_FAKES = {
    "one change": {"sentence": "Cyril promised Ann to sell the kettle to the tinker in Hollin."},
    "strategy": {
        "sentence": "Zeno promised Ann to carry the kettle to the tinker in Hollin.",
        "false": "Zeno",
        "question": "What did Ann think when Zeno promised to carry the kettle?",
    },
    "so after all": {
        "sentence": "Bob promised Bob to carry the kettle to the tinker in Hollin.",
        "true": "Ann",
        "false": "Bob",
        "question": "What did Ann promise to do with the kettle?",
    },
    "taken for true": {"question": "Who promised Ann to carry the kettle?"},
    "given away": {"question": "Was it Cyril or Bob who promised to carry the kettle?"},
    "answer": {"answer": "Cyril did that."},
}


@pytest.mark.parametrize("check", BAD_FAKES)
async def test_a_false_sentence_is_refused(tea: Tea, check: str) -> None:
    bad = replace(FALSE[fakes.CHARACTER], **BAD_FAKES[check])
    wrong = fake_fault(bad, SENTENCE, fakes.CHARACTER, tea.checked, (2,))
    assert wrong is not None and wrong.check == check


@pytest.mark.parametrize(
    "sentence",
    [
        "Bob promised Ann and Perpetua Hask to carry the burning kettle to the tinker in Hollin.",
        "Bob never promised Ann and Perpetua Hask to carry the kettle to the tinker in Hollin.",
        f"{SENTENCE[:16]}, and while nobody was looking on also Perpetua Hask, {SENTENCE[17:]}",
    ],
)
async def test_what_is_added_is_all_that_is_false(tea: Tea, sentence: str) -> None:
    bad = replace(FALSE[fakes.ADDED], sentence=sentence)
    wrong = fake_fault(bad, SENTENCE, fakes.ADDED, tea.checked, (2,))
    assert wrong is not None and wrong.check == "one change"


def asked(kind: str, **labels: str) -> Question:
    return Question(
        world="w",
        character="Ann",
        at="E2",
        question="Where?",
        kind=kind,
        labels={"type": kind, "temporal": "It is so.", **labels},
    )


@pytest.mark.parametrize(
    ("said", "question", "check"),
    [
        ("I do not know of that.", asked("future"), ""),
        ("I was there.", asked("future"), "label"),
        ("I was not there.", asked("past-absence"), ""),
        ("Nobody knows.", asked("past-absence"), "first person"),
        ("I remember the kettle and the tinker.", asked("past-presence", key="kettle tinker"), ""),
        ("I was not there.", asked("past-presence", key="kettle tinker"), "label"),
        ("It was Hollin.", asked("past-only", key="Hollin"), ""),
        ("It was Marrow.", asked("past-only", key="Hollin"), "label"),
        ("I remember. " * 200, asked("past-only", key="Hollin"), "length"),
    ],
)
def test_an_answer_has_to_fit_what_holds(said: str, question: Question, check: str) -> None:
    wrong = gold_fault(DraftedGold(said), question)
    assert (wrong.check if wrong else "") == check


def test_all_checks_are_listed() -> None:
    seen = {*BAD_SENTENCES, *BAD_FACTS, *BAD_FAKES, "unique", "label", "first person"}
    assert seen | {"copy", "another answer"} == set(CHECKS)


async def test_scenes_are_stretches_that_are_neither_short_nor_long() -> None:
    async with open_log(":memory:") as log:
        drafts = opened("Ann", "Bob")
        for number, count in ((1, 2), (2, 3 * MOST + 1)):
            drafts.append(Draft(EpisodeOpened("Tea.", ("Ann", "Bob")), None, number))
            drafts += [said("Ann", "A kettle sings.", "Bob", episode=number) for _ in range(count)]
            drafts.append(Draft(EpisodeClosed("over"), None, number))
        await log.append("w", drafts)
        scenes = story_scenes(await (await log.director("w")).events())
    assert {one.events[0].episode for one in scenes} == {2} and len(scenes) == 4
    assert all(len(one.events) <= MOST and len(one.text) >= LEAST for one in scenes)
    assert [told.place for told in scenes[1].lines] == list(range(1, len(scenes[1].lines) + 1))
    assert scenes[0].shown()[0] == "(There: Ann, Bob.)"
