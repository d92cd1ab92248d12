"""Questions written moment by moment of a character's life: of its view up to there, at each at which it is
asked something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Model, Request, prompt_tokens
from whoknew.agents.understand import understand
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import WritableKind
from whoknew.engine.exams.material import questions_of
from whoknew.engine.exams.origin import RULE, origin_of, origin_tag
from whoknew.engine.exams.questions import ResolvedQuestion, resolved
from whoknew.engine.exams.writing import draft
from whoknew.engine.exams.writing.checks import (
    CheckFailed,
    LivedLines,
    answer_words,
    question_words,
    refusal,
)
from whoknew.engine.exams.writing.draft import CheckedAnswer, DraftedQuestion
from whoknew.engine.exams.writing.pen import ROUNDS
from whoknew.engine.exams.writing.place import ShownView, WritingPlace, lived, places, witnessed
from whoknew.engine.exams.writing.source import (
    ExpectedCalls,
    ModelOf,
    PlaceOnLog,
    WritingSource,
    WrittenDraft,
)
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.eventlog import Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.words import terms
from whoknew.worlds.question import Question

LOOKS = 2
"""So many questions of a kind the second model looks at, for each that is wanted, a round."""

ALIKE = 0.5
"""The share of the words of an answer that a second model has to find, too."""

A_QUESTION = 90
"""Tokens that a question takes, where the log has no reply yet."""

QUOTED = 600
"""So many signs of another answer are told."""


class LifeWriting(WritingSource[WritingPlace]):
    """None of a character's questions may be a copy of an earlier one."""

    purposes: ClassVar = frozenset({draft.PURPOSE})

    def __init__(
        self,
        kind: WritableKind,
        writer: QuestionWriter,
        asked: Sequence[ResolvedQuestion],
        material: Log,
    ) -> None:
        """`asked` are the questions that there are."""
        self._kind, self._writer, self._material = kind, writer, material
        self.rows = list(places(asked).values())
        self._asked: dict[tuple[str, str], list[tuple[int, Question]]] = {}
        for one in asked:
            whose = (one.question.world, one.question.character)
            self._asked.setdefault(whose, []).append((one.seq, one.question))
        self._knowledge: dict[str, Knowledge] = {}
        self._kinds = writer.writing.kinds or tuple(kind.askable)

    @classmethod
    async def of(cls, exam: LoadedExam, material: Log, writer: QuestionWriter) -> LifeWriting:
        assert isinstance(exam.kind, WritableKind)
        asked = await resolved(material, (await questions_of(exam, material)).file)
        return cls(exam.kind, writer, asked, material)

    def key(self, place: WritingPlace) -> str:
        world, who = place.whose
        vouched = place.first.hash.hex()
        return digest_key("questions", self._writer.digest, world, who, place.seq, vouched)

    def on_log(self, place: WritingPlace) -> PlaceOnLog:
        world, who = place.whose
        return PlaceOnLog(who=who, world=world, upto=place.seq, hash=place.first.hash.hex())

    def kept(self, place: WritingPlace, draft: WrittenDraft) -> None:
        self._asked.setdefault(place.whose, []).extend((place.seq, one) for one in draft.questions)

    async def expected(self, place: WritingPlace) -> ExpectedCalls:
        view, writing = await self._view(place), self._writer.writing
        request = self._request(place, await witnessed(view))
        questions, most = writing.each * len(self._kinds), ROUNDS * (1 + writing.reasks)
        return ExpectedCalls(
            calls=1,
            tokens_in=prompt_tokens(request),
            tokens_out=questions * A_QUESTION,
            most=most,
            checks=questions,
            most_checks=LOOKS * questions * most,
        )

    async def drafted(self, place: WritingPlace, model_of: ModelOf) -> WrittenDraft:
        who, writing = place.question.character, self._writer.writing
        view = await self._view(place)
        shown = await witnessed(view)
        here = await self._lived(place, shown)
        model = model_of(who, writing.model)
        request = first = self._request(place, shown)
        lacking, found = self._wanted(), WrittenDraft()
        for _ in range(ROUNDS):
            drafted = (await insist(model, request, draft.read, writing.reasks)).questions
            said: list[tuple[DraftedQuestion, str]] = []
            looks = {kind: LOOKS * count for kind, count in lacking.items()}
            for one in drafted:
                wrong = await self._wrong(one, here, lacking, looks, model_of)
                if wrong is None:
                    found.questions.append(self._question(place, one, shown, view))
                    here = replace(
                        here,
                        asked=[*here.asked, question_words(one.question)],
                        answered=[*here.answered, answer_words(one.answer)],
                    )
                    lacking[one.kind] -= 1
                    continue
                found.refuse(check=wrong.check, why=wrong.why, kind=one.kind, text=one.question)
                if wrong.check != "too many":
                    said.append((one, wrong.why))
            lacking = {kind: count for kind, count in lacking.items() if count}
            if not lacking or not said:
                break
            request = draft.again(first, said, lacking)
        return found

    async def _view(self, place: WritingPlace) -> View:
        world, who = place.whose
        return await self._material.view(world, who, AtSeq(place.seq))

    def _wanted(self) -> dict[str, int]:
        return dict.fromkeys(self._kinds, self._writer.writing.each)

    def _request(self, place: WritingPlace, shown: ShownView) -> Request:
        return draft.request(
            place.question.character, shown.lines, self._wanted(), self._kind.askable
        )

    async def _lived(self, place: WritingPlace, shown: ShownView) -> LivedLines:
        """What its questions are held against: all questions that its character is asked. Those of
        later moments are there where a place is tried again."""
        world = place.question.world
        if world not in self._knowledge:
            self._knowledge[world] = await self._material.knowledge(world)
        asked = [
            one
            for seq, one in self._asked.get(place.whose, ())
            if seq <= place.seq or origin_of(one) != RULE
        ]
        return lived(place.question.character, shown, self._knowledge[world], self._kinds, asked)

    async def _wrong(
        self,
        one: DraftedQuestion,
        here: LivedLines,
        lacking: Mapping[str, int],
        looks: dict[str, int],
        model_of: ModelOf,
    ) -> CheckFailed | None:
        """Why a question is not taken; a second model is asked last, where one is named, and of so many
        of each kind as there are `looks` left."""
        if wrong := refusal(one, here):
            return wrong
        if not lacking.get(one.kind):
            return CheckFailed("too many", "no more of its kind is wanted.")
        checker = self._writer.writing.checked_by
        if checker is None:
            return None
        if not looks[one.kind]:
            return CheckFailed("too many", "enough of its kind were looked at.")
        looks[one.kind] -= 1
        lines = [here.lines[place] for place in sorted(set(one.evidence))]
        asked = draft.check_request(here.who, one.question, lines)
        model = model_of(here.who, checker)
        return another_answer(one, await answered(model, asked, self._writer.writing.reasks))

    def _question(
        self, place: WritingPlace, one: DraftedQuestion, shown: ShownView, view: View
    ) -> Question:
        """As it stands beside all others: asked where its first is, known by who wrote it."""
        like = place.question
        evidence = sorted(set(one.evidence))
        tags = self._kind.written_tags(
            [shown.events[at] for at in sorted(shown.events)], [shown.events[at] for at in evidence]
        )
        return Question(
            world=like.world,
            character=like.character,
            at=like.at,
            question=one.question.strip(),
            kind=one.kind,
            reference=one.answer.strip(),
            evidence=(tuple(view.seq(at) for at in evidence),),
            cluster=like.cluster,
            asked_by=like.asked_by,
            tags=(*tags, origin_tag(f"model {self._writer.writing.model}")),
        )


async def answered(model: Model, asked: Request, reasks: int) -> str:
    """What somebody answers who has the evidence alone."""
    return (await insist(model, asked, lambda text: understand(text, CheckedAnswer), reasks)).answer


def another_answer(one: DraftedQuestion, answer: str) -> CheckFailed | None:
    """Whether another answer lacks what this one tells beyond its question."""
    known = set(terms(one.question))
    mine, theirs = set(terms(one.answer)) - known, set(terms(answer)) - known
    if len(mine & theirs) >= ALIKE * len(mine):
        return None
    why = f"who has nothing but its evidence answers otherwise: {answer[:QUOTED]!r}."
    return CheckFailed("another answer", why)
