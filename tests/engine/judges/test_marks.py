"""Marks that a model gives to an answer beside a reference."""

from __future__ import annotations

from datetime import datetime

import pytest
from store_places import VolatilePlace, log_at

from whoknew.agents.models.model import DEFAULT, Model, Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.marks import BESIDE_A_REFERENCE, MARK
from whoknew.engine.judges.model_judge import ModelJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded, WorldOpened

REFERENCE = "The salt is under the stairs."


class Marking:
    """A model that says one thing after the other, the last again and again."""

    name = "marking:"

    def __init__(self, *said: str) -> None:
        self._said = list(said)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=self._said.pop(0) if len(self._said) > 1 else self._said[0])


async def verdict(model: Model, answer: str = "In the cellar.") -> Verdict:
    begin = [Draft(WorldOpened("w"), datetime(2001, 1, 1)), Draft(CharacterAdded("Ann"))]
    async with log_at(VolatilePlace()) as log:
        await log.append("w", begin)
        case = AnswerCase(
            character="Ann",
            question="Where is the salt?",
            answer=answer,
            rests_on=(),
            view=await log.view("w", "Ann"),
            reference=REFERENCE,
        )
        (found,) = await ModelJudge(BESIDE_A_REFERENCE, model, DEFAULT, 2).review(case)
    return found


def said(mark: object) -> str:
    return f'{{"mark": {{"reason": "Not there.", "score": {mark}}}}}'


async def test_the_judge_reads_question_reference_and_answer_and_nothing_else() -> None:
    model = Marking(said(3))
    found = await verdict(model)
    assert found == Verdict("Ann", {MARK: 3.0}, "mark 3: Not there.")
    rules, brief = (message.text for message in model.asked[0].messages)
    assert rules.startswith("You judge Ann, a character in a story, by an answer that Ann gave")
    assert brief.split("\n\n") == [
        '# The question\n"Where is the salt?"',
        f'# The reference\n"{REFERENCE}"',
        '# The answer\n"In the cellar."',
    ]


@pytest.mark.parametrize("wrong", [said(11), said(-1), said("null"), "Nine of ten.", "9", ""])
async def test_a_mark_that_cannot_be_is_asked_again_and_then_a_failure(wrong: str) -> None:
    again = Marking(wrong, said(10))
    assert (await verdict(again)).scores == {MARK: 10.0} and len(again.asked) == 2
    always = Marking(wrong)
    failed = await verdict(always)
    assert failed.scores is None and failed.reason and len(always.asked) == 3


async def test_offline_marks_by_the_words_that_the_answer_shares_with_the_reference() -> None:
    marks = {
        answer: await verdict(Offline(), answer)
        for answer in ("Under the stairs, the salt.", "Some salt.", "I do not know.")
    }
    assert [one.scores for one in marks.values()] == [{MARK: 10.0}, {MARK: 5.0}, {MARK: 0.0}]
