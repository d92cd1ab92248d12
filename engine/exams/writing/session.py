"""A model writes questions of an exam: wherever the exam's log lacks them, each checked before it is
kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Model, Request
from whoknew.agents.understand import understand
from whoknew.engine.errors import Suspended
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.kind import WritableKind
from whoknew.engine.exams.origin import origin_tag
from whoknew.engine.exams.session import ExamSession, Failure, SessionParts
from whoknew.engine.exams.writing import draft
from whoknew.engine.exams.writing.checks import (
    CheckFailed,
    LivedLines,
    answer_words,
    question_words,
    refusal,
)
from whoknew.engine.exams.writing.draft import CheckedAnswer, DraftedQuestion
from whoknew.engine.exams.writing.place import ShownView, WritingPlace, lived, witnessed
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.eventlog import Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Failed, QuestionsWritten, RefusedQuestion
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.words import terms
from whoknew.worlds.question import Question

ROUNDS = 2
"""What will not do is asked for once more."""

ALIKE = 0.5
"""The share of the words of an answer that a second model has to find, too."""

KEPT = 600
"""So many signs of what was refused are kept."""


class WrittenCount(Struct):
    """What came of it in this start, and before."""

    places: int = 0
    done: int = 0
    failed: int = 0
    kept: Counter[str] = field(default_factory=Counter)
    """By kind."""
    refused: Counter[str] = field(default_factory=Counter)
    """By check."""

    def take(self, body: QuestionsWritten) -> None:
        self.kept.update(str(one["kind"]) for one in body.questions)
        self.refused.update(one.check for one in body.refused)


class _Draft(Struct):
    """What is kept of one place, and what is not."""

    questions: list[Question] = field(default_factory=list)
    refused: list[tuple[DraftedQuestion, CheckFailed]] = field(default_factory=list)


class QuestionWriting(ExamSession[Any]):
    """One start of it. Of each character its moments are taken one after another, as none of its
    questions may be a copy of an earlier one; characters go on at once."""

    def __init__(
        self,
        parts: SessionParts,
        *,
        writer: QuestionWriter,
        lives: Mapping[tuple[str, str], Sequence[WritingPlace]],
        asked: Mapping[tuple[str, str], Sequence[tuple[int, Question]]],
        material: Log,
    ) -> None:
        """`asked` are the questions that there are, by whose they are, each with the seq that it is put
        at."""
        super().__init__(replace(parts, exam=replace(parts.exam, arms=(), judges=())))
        self.count = WrittenCount()
        assert isinstance(parts.exam.kind, WritableKind)
        self._kind, self._writer = parts.exam.kind, writer
        self._lives, self._material = lives, material
        self._asked = {whose: list(some) for whose, some in asked.items()}
        self._knowledge: dict[str, Knowledge] = {}

    def cells(self) -> Iterator[Any]:
        return iter(())

    def survey(self) -> None:
        for place in self._places():
            key = key_of(self._writer, place)
            self.count.places += 1
            self.count.done += self.log.done(key)
            self.count.failed += self.log.failed(key)
        self.progress.cells = self.count.places
        self.progress.before = self.count.done

    async def sit(self) -> None:
        await self.log.begin((), ())
        await self.log.add(self._writer)
        await super().sit()

    def works(self) -> Iterator[Callable[[], Awaitable[None]]]:
        for whose, places in self._lives.items():
            if any(self._lacks(key_of(self._writer, one)) for one in places):
                yield partial(self._write_life, whose, places)

    def _most(self) -> int:
        return len(self._lives)

    def _places(self) -> Iterator[WritingPlace]:
        return (place for places in self._lives.values() for place in places)

    async def _write_life(self, whose: tuple[str, str], places: Sequence[WritingPlace]) -> None:
        for place in places:
            if self._lacks(key_of(self._writer, place)):
                try:
                    self.control.check()
                except Suspended:
                    return
                await self._write(whose, place)

    async def _write(self, whose: tuple[str, str], place: WritingPlace) -> None:
        """The calls of a place and what came of them go in together, before anything rests on them."""
        key, cause = key_of(self._writer, place), self.log.seq_of(self._writer)
        calls = self.calls(key, cause)
        found = await self.tried(calls, self._drafted(place, calls))
        if found is None:
            return
        failed = isinstance(found, Failure)
        self.control.count("questions", 1, failed)
        self.progress.failed += failed
        self.progress.answered += not failed
        if isinstance(found, Failure):
            with calls.written() as held:
                result = [*held, Failed("questions", found.why)]
                await self.log.concluded(key, cause, result, failed=True)
            return
        body = self._body(place, found)
        with calls.written() as held:
            await self.log.concluded(key, cause, [*held, body], failed=False)
        self.count.take(body)
        self._asked.setdefault(whose, []).extend((place.seq, one) for one in found.questions)

    def _body(self, place: WritingPlace, found: _Draft) -> QuestionsWritten:
        return QuestionsWritten(
            character=place.question.character,
            material=place.question.world,
            upto=place.seq,
            hash=place.first.hash.hex(),
            questions=tuple(msgspec.to_builtins(one) for one in found.questions),
            refused=tuple(
                RefusedQuestion(
                    check=wrong.check,
                    why=wrong.why[:KEPT],
                    kind=one.kind[:KEPT],
                    question=one.question[:KEPT],
                )
                for one, wrong in found.refused
            ),
        )

    async def _drafted(self, place: WritingPlace, calls: CellCalls) -> _Draft:
        await calls.resume()
        who, writing = place.question.character, self._writer.writing
        view = await self._material.view(place.question.world, who, AtSeq(place.seq))
        shown = await witnessed(view)
        kinds = writing.kinds or tuple(self._kind.askable)
        here = await self._lived(place, shown, kinds)
        model = self.model(who, writing.model, calls)
        lacking = dict.fromkeys(kinds, writing.each)
        first = draft.request(who, shown.lines, lacking, self._kind.askable)
        request, found = first, _Draft()
        for _ in range(ROUNDS):
            drafted = (await insist(model, request, draft.read, writing.reasks)).questions
            refused = []
            for one in drafted:
                wrong = await self._wrong(one, here, lacking, calls)
                if wrong is None:
                    found.questions.append(self._question(place, one, shown, view))
                    here = replace(
                        here,
                        asked=[*here.asked, question_words(one.question)],
                        answered=[*here.answered, answer_words(one.answer)],
                    )
                    lacking[one.kind] -= 1
                else:
                    refused.append((one, wrong))
            found.refused += refused
            lacking = {kind: count for kind, count in lacking.items() if count}
            said = [(one, wrong.why) for one, wrong in refused if wrong.check != "too many"]
            if not lacking or not said:
                break
            request = draft.again(first, said, lacking)
        return found

    async def _lived(
        self, place: WritingPlace, shown: ShownView, kinds: Sequence[str]
    ) -> LivedLines:
        """What its questions are held against: of the questions that there are, those that are put by
        then."""
        world = place.question.world
        if world not in self._knowledge:
            self._knowledge[world] = await self._material.knowledge(world)
        earlier = [one for seq, one in self._asked.get(place.whose, ()) if seq <= place.seq]
        return lived(place.question.character, shown, self._knowledge[world], kinds, earlier)

    async def _wrong(
        self, one: DraftedQuestion, here: LivedLines, lacking: Mapping[str, int], calls: CellCalls
    ) -> CheckFailed | None:
        """Why a question is not taken; a second model is asked last, where one is named."""
        if wrong := refusal(one, here):
            return wrong
        if not lacking.get(one.kind):
            return CheckFailed("too many", "no more of its kind is wanted.")
        checker = self._writer.writing.checked_by
        if checker is None:
            return None
        model = self.model(here.who, checker, calls)
        lines = [here.lines[place] for place in sorted(set(one.evidence))]
        asked = draft.check_request(here.who, one.question, lines)
        answer = await _answered(model, asked, self._writer.writing.reasks)
        if _alike(one.answer, answer, one.question):
            return None
        return CheckFailed(
            "another answer",
            f"who has nothing but its evidence answers otherwise: {answer[:KEPT]!r}.",
        )

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


async def _answered(model: Model, asked: Request, reasks: int) -> str:
    return (await insist(model, asked, lambda text: understand(text, CheckedAnswer), reasks)).answer


def _alike(answer: str, other: str, asked: str) -> bool:
    """Whether another answer holds what this one tells beyond its question."""
    known = set(terms(asked))
    mine, theirs = set(terms(answer)) - known, set(terms(other)) - known
    return len(mine & theirs) >= ALIKE * len(mine)


def key_of(writer: QuestionWriter, place: WritingPlace) -> str:
    """What was written at a place is known by this: by all that decides it."""
    world, who = place.whose
    return digest_key("questions", writer.digest, world, who, place.seq, place.first.hash.hex())
