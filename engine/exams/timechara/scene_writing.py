"""A model writes what is asked of scenes: of each a sentence, questions on it, what was not so; and the
answers that are right. All is checked, asked for again where it will not do, and then left out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.lines import Line
from whoknew.agents.models.model import prompt_tokens
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.timechara import scene_draft
from whoknew.engine.exams.timechara.asked_world import AskedFor, AskedWorld, asked_worlds
from whoknew.engine.exams.timechara.chapters import Chapters
from whoknew.engine.exams.timechara.drawing import about
from whoknew.engine.exams.timechara.event_sentences import (
    EventSentence,
    FakeSentence,
    ToldEvent,
)
from whoknew.engine.exams.timechara.fakes import STRATEGIES
from whoknew.engine.exams.timechara.free import ASKING, FreeQuestion
from whoknew.engine.exams.timechara.scene_checks import (
    CheckedScene,
    fact_fault,
    fake_fault,
    gold_fault,
    sentence_fault,
)
from whoknew.engine.exams.timechara.scene_draft import (
    GOLD,
    SENTENCE,
    DraftedFact,
    DraftedFake,
    DraftedGold,
    DraftedSentence,
    fact_request,
    fake_request,
    gold_request,
    sentence_request,
)
from whoknew.engine.exams.timechara.sentence_checks import SceneWords
from whoknew.engine.exams.timechara.story_scenes import story_scenes
from whoknew.engine.exams.timechara.worded_questions import FACT, FAKE, STRUCTURED
from whoknew.engine.exams.writing import draft
from whoknew.engine.exams.writing.checks import CheckFailed, question_words
from whoknew.engine.exams.writing.draft import DraftedQuestion
from whoknew.engine.exams.writing.lives import another_answer, answered
from whoknew.engine.exams.writing.pen import ROUNDS, Pen
from whoknew.engine.exams.writing.source import (
    ExpectedCalls,
    ModelOf,
    PlaceOnLog,
    WritingSource,
    WrittenDraft,
)
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.playing.ledger import NOBODY
from whoknew.eventlog import Log
from whoknew.eventlog.errors import missing
from whoknew.eventlog.words import words
from whoknew.worlds.question import Question

VERSION = 2
"""Of what is shown and how it is checked: raise it when any of that changes."""

PEOPLE = "people"
"""Lists of who was there are counted for themselves, as in the paper."""

ANSWERS = "answers"
"""Named among the kinds of a writer: answers that are right are written by it, too, and not by rule."""

ASKABLE = {
    STRUCTURED: "whether and how somebody lived through what the sentence tells",
    FACT: "who, what, when, where, why or how, of what the sentence tells",
    FAKE: "of something that is not so, as if it were",
    ANSWERS: "the right answer to each of these, as its character would give it",
}

REPLY = {SENTENCE: 90, scene_draft.FACT: 90, scene_draft.FAKE: 110, GOLD: 60}
"""Tokens that a reply may take, where the log has none yet."""

OF_EVENTS, OF_GOLD = 500, 450
"""Tokens of a prompt that is made of what the first reply tells."""

T = TypeVar("T", bound=Struct)

_encode = msgspec.json.Encoder(order="deterministic").encode


class ScenePlace(Struct, frozen=True):
    """A scene of a world at which is written; `vouched` is what vouches for all up to its end, and `given`
    for the points of its world that somebody has said."""

    world: AskedWorld
    checked: CheckedScene
    vouched: str
    given: tuple[str, ...] = ()


class SceneWriting(WritingSource[ScenePlace]):
    """Scenes are written of at once: none waits for another."""

    unit: ClassVar = "scene"
    purposes: ClassVar = frozenset({SENTENCE, scene_draft.FACT, scene_draft.FAKE, GOLD})

    def __init__(self, writer: QuestionWriter, places: Sequence[ScenePlace], seed: int) -> None:
        self._writer, self._seed = writer, seed
        self._kinds = writer.writing.kinds or tuple(ASKABLE)
        self.rows = [[one] for one in places]

    @classmethod
    async def of(
        cls, material: Log, names: Sequence[str], wanted: AskedFor, writer: QuestionWriter
    ) -> SceneWriting:
        places = [
            place
            for world in await asked_worlds(material, names, wanted)
            for place in await _places(material, world, wanted)
        ]
        return cls(writer, places, wanted.seed)

    def key(self, place: ScenePlace) -> str:
        scene = place.checked.scene
        seqs = (scene.first, scene.last)
        name = place.world.name
        return digest_key("scene", self._writer.digest, name, *seqs, place.vouched, *place.given)

    def on_log(self, place: ScenePlace) -> PlaceOnLog:
        upto = place.checked.scene.last
        return PlaceOnLog(who="", world=place.world.name, upto=upto, hash=place.vouched)

    async def expected(self, place: ScenePlace) -> ExpectedCalls:
        writing, checked = self._writer.writing, place.checked
        facts, fakes = (writing.each if kind in self._kinds else 0 for kind in (FACT, FAKE))
        asked = 2 * facts + fakes + (3 * writing.each if STRUCTURED in self._kinds else 0)
        golds = asked if ANSWERS in self._kinds else 0
        told = prompt_tokens(sentence_request(checked.scene.shown()))
        calls = 1 + facts + fakes + golds
        most = ROUNDS * (1 + writing.reasks)
        return ExpectedCalls(
            calls=calls,
            tokens_in=told + OF_EVENTS * (facts + fakes) + OF_GOLD * golds,
            tokens_out=REPLY[SENTENCE]
            + REPLY[scene_draft.FACT] * facts
            + REPLY[scene_draft.FAKE] * fakes
            + REPLY[GOLD] * golds,
            most=calls * most,
            checks=facts,
            most_checks=facts * most,
        )

    async def drafted(self, place: ScenePlace, model_of: ModelOf) -> WrittenDraft:
        pen = _ScenePen(self._writer, model_of)
        seed = f"{self._seed}/{place.world.name}/{place.checked.scene.first}"
        event = await self._event(place, pen)
        if event is None:
            return pen.found
        event = replace(
            event,
            facts=await self._facts(place, event, pen, Random(f"{seed}/facts")),
            fakes=await self._fakes(place, event, pen, Random(f"{seed}/fakes")),
        )
        each = self._writer.writing.each
        asked = about(place.world, event, kinds=self._kinds, each=each, seed=seed)
        if ANSWERS in self._kinds:
            asked = [await _answered(one, pen) for one in asked]
        pen.found.questions += asked
        return pen.found

    async def _event(self, place: ScenePlace, pen: _ScenePen) -> ToldEvent | None:
        """The sentence on a scene, placed at the events that it tells of."""
        checked, world = place.checked, place.world
        origin = f"model {self._writer.writing.model}"

        def placed(one: DraftedSentence) -> ToldEvent:
            seqs = sorted({checked.scene.events[at - 1].seq for at in one.evidence})
            told = EventSentence(world=world.name, sentence=one.sentence, evidence=tuple(seqs))
            return world.told_in.of(told, seqs, origin)

        async def wrong(one: DraftedSentence) -> CheckFailed | None:
            return sentence_fault(one, checked, world.told_in.doubted(checked.scene.events))

        pen.found.texts[PEOPLE] += 0
        found = await pen.written(
            SENTENCE, sentence_request(checked.scene.shown()), DraftedSentence, wrong
        )
        if found is None:
            return None
        pen.found.texts[PEOPLE] += 1
        return placed(found)

    async def _facts(
        self, place: ScenePlace, event: ToldEvent, pen: _ScenePen, draw: Random
    ) -> tuple[FreeQuestion, ...]:
        found: list[FreeQuestion] = []
        lines = _lines(place, event)
        words_asked = draw.sample(ASKING, len(ASKING))
        for number in range(self._writer.writing.each if FACT in self._kinds else 0):

            async def wrong(one: DraftedFact) -> CheckFailed | None:
                if any(question_words(one.question) == question_words(it.text) for it in found):
                    return CheckFailed("copy", "this is asked already.")
                if why := fact_fault(one, event.sentence, lines, place.checked):
                    return why
                return await pen.answered_otherwise(one, place, lines)

            word = words_asked[number % len(words_asked)]
            request = fact_request(event.sentence, lines, word)
            one = await pen.written(scene_draft.FACT, request, DraftedFact, wrong)
            if one is not None:
                found.append(
                    FreeQuestion(word=one.word, text=one.question, answer=one.answer, key=one.key)
                )
        return tuple(found)

    async def _fakes(
        self, place: ScenePlace, event: ToldEvent, pen: _ScenePen, draw: Random
    ) -> tuple[FakeSentence, ...]:
        found: list[FakeSentence] = []
        lines, checked = _lines(place, event), place.checked
        evidence = {told.place for told in lines}
        strategies = draw.sample(STRATEGIES, len(STRATEGIES))
        for number in range(self._writer.writing.each if FAKE in self._kinds else 0):
            strategy = strategies[number % len(strategies)]

            async def wrong(one: DraftedFake, strategy: str = strategy) -> CheckFailed | None:
                if any(one.question == it.question for it in found):
                    return CheckFailed("copy", "this is asked already.")
                return fake_fault(one, event.sentence, strategy, checked, evidence)

            request = fake_request(event.sentence, lines, strategy, checked.people)
            one = await pen.written(scene_draft.FAKE, request, DraftedFake, wrong)
            if one is not None:
                found.append(
                    FakeSentence(
                        strategy=strategy,
                        sentence=one.sentence,
                        true=one.true,
                        false=one.false,
                        question=one.question,
                        answer=one.answer,
                    )
                )
        return tuple(found)


class _ScenePen(Pen):
    """Has a model write at one place of a story, and a second one answer what was written."""

    def __init__(self, writer: QuestionWriter, model_of: ModelOf) -> None:
        self._writing, self._model_of = writer.writing, model_of
        super().__init__(
            model_of(NOBODY, writer.writing.model),
            WrittenDraft(),
            reasks=writer.writing.reasks,
            kinds={PEOPLE: PEOPLE},
        )

    async def answered_otherwise(
        self, one: DraftedFact, place: ScenePlace, lines: Sequence[Line]
    ) -> CheckFailed | None:
        """Whether a second model, where one is named, finds another answer in the events alone."""
        checker = self._writing.checked_by
        if checker is None:
            return None
        events = place.checked.scene.events
        who = next(iter(events[lines[0].place - 1].witnesses), "Somebody")
        asked = draft.check_request(who, one.question, lines)
        model = self._model_of(NOBODY, checker)
        said = await answered(model, asked, self._writing.reasks)
        evidence = tuple(told.place for told in lines)
        return another_answer(DraftedQuestion(FACT, one.question, one.answer, evidence), said)


async def _answered(one: Question, pen: _ScenePen) -> Question:
    """A question with a right answer by the model; or, where none fits what holds, by rule."""

    async def wrong(drafted: DraftedGold) -> CheckFailed | None:
        return gold_fault(drafted, one)

    found = await pen.written(GOLD, gold_request(one), DraftedGold, wrong)
    return one if found is None else replace(one, reference=found.answer)


def _lines(place: ScenePlace, event: ToldEvent) -> list[Line]:
    """Those that a sentence tells of."""
    scene = place.checked.scene
    some = zip(scene.events, scene.lines, strict=True)
    return [told for one, told in some if one.seq in event.seqs]


async def _places(material: Log, world: AskedWorld, wanted: AskedFor) -> list[ScenePlace]:
    events = await (await material.director(world.name)).events()
    scenes = story_scenes(events)
    people = world.told_in.people
    known = SceneWords([one.text for one in scenes], people)
    spoken = frozenset(word for event in events for word in words(event.text))
    points = wanted.points(world.name, Chapters(events))
    given = (digest_key(_encode(points).decode()),) if points else ()
    found: list[ScenePlace] = []
    for number, scene in enumerate(scenes):
        record = await material.lineage.record(world.name, scene.last)
        if record is None:
            raise missing(world.name, scene.last)
        checked = CheckedScene(
            scene=scene, number=number, words=known, people=people, spoken=spoken
        )
        found.append(ScenePlace(world, checked, record.hash.hex(), given))
    return found
