"""Marks that a model gives to an answer by a rubric."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

import pytest
from store_places import VolatilePlace, log_at

from whoknew.agents.models.model import DEFAULT, Model, Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.rubric import MARK, RubricEntry, RubricText
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Needed, Verdict
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened

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


async def verdict(
    model: Model, answer: str = "In the cellar.", rubric: str | RubricText = "lifestate"
) -> Verdict:
    begin = [
        Draft(WorldOpened("w"), datetime(2001, 1, 1)),
        Draft(CharacterAdded("Ann")),
        Draft(CharacterAdded("Ben")),
    ]
    async with log_at(VolatilePlace()) as log:
        await log.append("w", begin)
        spoken = [
            Draft(Acted("The salt is under the stairs, Ben."), actor="Ann", witnesses=("Ann",)),
            Draft(Acted("Shut up, Cid."), actor="Ben", witnesses=("Ben",)),
        ]
        seq = (await log.append("w", spoken)).first
        case = AnswerCase(
            character="Ann",
            question="Where is the salt?",
            answer=answer,
            rests_on=(),
            view=await log.view("w", "Ann"),
            reference=REFERENCE,
            labels={"known": True, "by": ["Ben"]},
            choices=("Under the stairs.", "In the cellar."),
            correct="Under the stairs.",
            evidence=((seq,), (seq + 1,)),
        )
        bench = Bench(model=model, sampling=DEFAULT, reasks=2, mind=lambda who: None)  # type: ignore[arg-type,return-value]
        (found,) = await RubricEntry(rubric).make(bench).review(case)
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


TWO = f"{said(3)} No: {said(8)}"

WRONG = (
    *(
        said(11),
        said(-1),
        said(10.01),
        said("null"),
        said('"7 or 8"'),
        said('"7/10"'),
        said("[7, 8]"),
    ),
    *(said("1e999"), said('"nan"'), said("true"), '{"mark": 7}', '{"mark": {"reason": "Well."}}'),
    *(
        "Nine of ten.",
        "9",
        "",
        "{}",
        "[]",
        "```json\n```",
        TWO,
        f"```json\n{said(2)}\n``` or {said(9)}",
    ),
    '{"mark": {"reason": "So.", "score": 3, "score": 8}}',
    '{"mark": {"reason": "So.", "score": 3}, "mark": {"reason": "So.", "score": 8}}',
    '{"mark": {"reason": "So.", "score": 3, "Score": 8}}',
    'So: {"mark": {"reason": "So.", "score": 3}, "Mark": {"reason": "So.", "score": 8}}',
)
"""No number, two, or one that is off the scale."""


@pytest.mark.parametrize("wrong", WRONG)
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


@pytest.mark.parametrize("again", [f"```json\n{said(3)}\n```", f"{said(3)} I repeat: {said(3)}"])
async def test_what_is_said_twice_and_is_the_same_is_one_mark(again: str) -> None:
    assert (await verdict(Marking(again))).scores == {MARK: 3.0}


OWN = RubricText("Is it true, by what is known?", scale=(0, 1), whole=True, needs=("labels",))


async def test_a_rubric_of_ones_own_says_what_is_marked_and_on_which_scale() -> None:
    model = Marking(said(0.5), said(2), said(1))
    found = await verdict(model, rubric=OWN)
    assert found.scores == {MARK: 1.0} and len(model.asked) == 3
    rules, brief = (message.text for message in model.asked[0].messages)
    assert "Is it true, by what is known?" in rules and "a whole number, 0 to 1" in rules
    assert '# What is known of the question\n- by: ["Ben"]\n- known: true' in brief
    assert REFERENCE not in brief
    entry = RubricEntry(OWN)
    assert (entry.needed(), entry.marks()) == (("labels",), (0, 1))


async def test_a_rubric_is_shown_what_it_needs_and_no_more() -> None:
    brief: dict[Needed, str] = {}
    for need in get_args(Needed):
        model = Marking(said(1))
        await verdict(model, rubric=RubricText("Is it right?", needs=(need,)))
        brief[need] = model.asked[0].messages[-1].text
    assert '# The choices\n- "Under the stairs."\n- "In the cellar."' in brief["choices"]
    assert '# The right choice\n"Under the stairs."' in brief["correct"]
    told = '# What a right answer rests on\n[1] Ann says: "The salt is under the stairs, Ben."'
    assert told in brief["evidence"]
    for need, text in brief.items():
        assert "Shut up" not in text, "what she did not witness"
        shown = {other for other, heading in HEADINGS.items() if heading in text}
        assert shown == {need}


HEADINGS: dict[Needed, str] = {
    "reference": "# The reference",
    "choices": "# The choices",
    "correct": "# The right choice",
    "evidence": "# What a right answer rests on",
    "labels": "# What is known of the question",
}


async def test_offline_keeps_to_the_scale_of_a_rubric() -> None:
    own = RubricText("How near?", scale=(-2, 2))
    marks = [
        (await verdict(Offline(), answer, own)).scores
        for answer in ("Under the stairs, the salt.", "Some salt.", "I do not know.")
    ]
    assert marks == [{MARK: 2.0}, {MARK: 0.0}, {MARK: -2.0}]


def test_a_rubric_that_is_not_there_or_cannot_be_is_told() -> None:
    with pytest.raises(ValueError, match="there is no rubric 'lifestat': did you mean 'lifestate'"):
        RubricEntry("lifestat")
    with pytest.raises(ValueError, match="scale is 10 to 0: give the worst mark first"):
        RubricText("x", scale=(10, 0))
