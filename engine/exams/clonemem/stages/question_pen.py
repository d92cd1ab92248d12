"""A model at work on the questions of one date: of each kind, from the gate to the choices. Wrong answers
that a second one sees through without time are given anew; what can be disputed is struck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from random import Random

from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Model
from whoknew.agents.understand import understand
from whoknew.engine.exams.clonemem.asked_life import AskedLife, LifeIndex, LifeItem, LifeKind
from whoknew.engine.exams.clonemem.choosing import UNTOLD, WRONG
from whoknew.engine.exams.clonemem.drawing import WINDOW, life_question
from whoknew.engine.exams.clonemem.stages import question_drafts as drafts
from whoknew.engine.exams.clonemem.stages.question_checks import (
    gate_fault,
    question_fault,
    wrong_fault,
)
from whoknew.engine.exams.clonemem.stages.question_drafts import (
    BucketEntry,
    DraftedGate,
    DraftedLifeQuestion,
    DraftedWrong,
)
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.engine.exams.writing.pen import Pen
from whoknew.engine.exams.writing.writer import WritingSettings
from whoknew.worlds.lives.bank import DIMENSIONS, Dimension
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.weeks import WEEK
from whoknew.worlds.question import Question

SETS = 3
"""So many sets of wrong answers are tried."""


def wanted(
    number: int, kinds: Sequence[LifeKind], each: int
) -> Iterator[tuple[LifeKind, Dimension]]:
    """What is asked at the moment of a number, from 0: each kind in another dimension every time."""
    for place, kind in enumerate(kinds):
        for more in range(each):
            yield kind, DIMENSIONS[(number + place + more) % len(DIMENSIONS)]


class QuestionPen:
    """Asks about a life at a date. `solver` is the second one."""

    def __init__(
        self, pen: Pen, solver: Model, writing: WritingSettings, asked: Sequence[str]
    ) -> None:
        """`asked` are the questions that there are."""
        self._pen, self._solver, self._writing, self._asked = pen, solver, writing, [*asked]

    async def write(
        self, life: LifeGraph, number: int, until: date, kinds: Sequence[LifeKind]
    ) -> None:
        """Onto the draft of its pen: what is kept, and what is not."""
        asked = LifeIndex(life).by(until)
        for kind, dimension in wanted(number, kinds, self._writing.each):
            bucket = drafts.buckets(asked, dimension, until - WINDOW * WEEK)
            if len(bucket) < max(1, drafts.LEAST[kind]):
                continue
            one = await self._question(asked, kind, dimension, bucket)
            if one is not None:
                self._pen.found.questions.append(one)
                self._asked.append(one.question)

    async def _question(
        self,
        asked: AskedLife,
        kind: LifeKind,
        dimension: Dimension,
        bucket: Sequence[BucketEntry],
    ) -> Question | None:
        until = asked.until
        gate = await self._gate(kind, dimension, until, bucket)
        if gate is None:
            return None
        rests_on = [bucket[number - 1] for number in sorted(set(gate.evidence))]

        async def wrong(one: DraftedLifeQuestion) -> CheckFailed | None:
            return question_fault(one, kind, rests_on, self._asked)

        request = drafts.question_request(kind, gate, until, rests_on)
        one = await self._pen.written(drafts.QUESTION, request, DraftedLifeQuestion, wrong)
        if one is None:
            return None
        others = await self._wrong(one, kind, bucket, str(until))
        if others is None or not await self._keeps(one, kind, until, others, rests_on):
            return None
        return self._whole(asked, kind, dimension, gate, one, others, rests_on)

    async def _gate(
        self, kind: LifeKind, dimension: Dimension, until: date, bucket: Sequence[BucketEntry]
    ) -> DraftedGate | None:
        async def wrong(one: DraftedGate) -> CheckFailed | None:
            return gate_fault(one, kind, until, bucket)

        request = drafts.gate_request(kind, dimension, until, bucket)
        gate = await self._pen.written(drafts.GATE, request, DraftedGate, wrong)
        if gate is None:
            return None
        if not gate.possible:
            self._pen.found.refuse(check="nothing to ask", why=gate.why, kind=kind, text="")
            return None
        return gate

    async def _wrong(
        self,
        one: DraftedLifeQuestion,
        kind: LifeKind,
        bucket: Sequence[BucketEntry],
        seed: str,
    ) -> tuple[str, ...] | None:
        """Wrong answers by which the second one does not find the right one."""
        seen_through: list[str] = []

        async def wrong(drafted: DraftedWrong) -> CheckFailed | None:
            return wrong_fault(drafted, one, WRONG)

        for _ in range(SETS):
            request = drafts.wrong_request(one, bucket, WRONG, seen_through)
            drafted = await self._pen.written(drafts.WRONG, request, DraftedWrong, wrong)
            if drafted is None:
                return None
            if kind == "unanswerable":
                return drafted.wrong
            choices = [one.answer, *drafted.wrong]
            Random(f"{seed}/{one.question}").shuffle(choices)
            if not await self._found(one, choices, bucket, seed):
                return drafted.wrong
            seen_through += drafted.wrong
        self._pen.found.refuse(
            check="seen through",
            why=f"the right answer was found without time among {SETS} sets of wrong ones.",
            kind=kind,
            text=one.question,
        )
        return None

    async def _found(
        self,
        one: DraftedLifeQuestion,
        choices: Sequence[str],
        bucket: Sequence[BucketEntry],
        seed: str,
    ) -> bool:
        request = drafts.solve_request(one.question, choices, bucket, seed)
        solved = await insist(
            self._solver,
            request,
            lambda text: understand(text, drafts.Solved),
            self._writing.reasks,
        )
        return 1 <= solved.choice <= len(choices) and choices[solved.choice - 1] == one.answer

    async def _keeps(
        self,
        one: DraftedLifeQuestion,
        kind: LifeKind,
        until: date,
        wrong: Sequence[str],
        rests_on: Sequence[BucketEntry],
    ) -> bool:
        request = drafts.review_request(one, until, wrong, rests_on)
        said = await insist(
            self._solver,
            request,
            lambda text: understand(text, drafts.StrictReading),
            self._writing.reasks,
        )
        if not said.keep:
            self._pen.found.refuse(check="struck", why=said.why, kind=kind, text=one.question)
        return said.keep

    def _whole(
        self,
        asked: AskedLife,
        kind: LifeKind,
        dimension: Dimension,
        gate: DraftedGate,
        one: DraftedLifeQuestion,
        wrong: Sequence[str],
        rests_on: Sequence[BucketEntry],
    ) -> Question:
        known = kind != "unanswerable"
        item = LifeItem(
            kind=kind,
            dimension=dimension,
            question=one.question,
            answer=one.answer,
            wrong=tuple(wrong),
            evidence=tuple(it.id for it in rests_on),
            outline=gate.outline,
            scope=(date.fromisoformat(gate.begins), date.fromisoformat(gate.ends)),
            topic=rests_on[0].arc if rests_on else dimension,
            known=known,
        )
        some = [*wrong, one.answer] if known else [*wrong]
        Random(f"{asked.until}/{one.question}/choices").shuffle(some)
        origin = f"model {self._writing.model}"
        return life_question(asked, item, (*some, UNTOLD), origin)
