"""What a question about a life has to be that a model wrote: each reason for which one is refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from whoknew.engine.exams.clonemem.asked_life import LifeKind
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

DAY = date(2021, 3, 2)
BUCKET = [
    BucketEntry(
        id=f"v{number}", day=DAY, arc="a", title="the choir", claim="Ruth sang in the choir."
    )
    for number in range(13)
]


def refused(fault: CheckFailed | None, why: str | None) -> bool:
    return fault is None if why is None else fault is not None and why in fault.why


@pytest.mark.parametrize(
    ("question", "answer", "why"),
    [
        ("What did Ruth do in spring?", "She sang in the choir", None),
        ("What did Ruth do in spring?", "She sang on 2 March 2021", None),
        ("What did Ruth do in spring?", "She sang on 2021-03-02", None),
        ("What did Ruth do in spring?", "She sang on 3 March 2021", "does not tell of 3"),
        ("What did Ruth do in spring?", "She sang 7 times", "does not tell of 7"),
        ("What did Ruth do in spring?", "A dromedary came", "not in its evidence"),
        ("what did ruth do, in autumn?", "She sang in the choir", "asked already"),
        ("Who sang in the choir?", "The choir sang", "tells nothing that is not in the question"),
        ("Did she say that it was so?", "It was so", "tells nothing that is not in the question"),
    ],
)
def test_a_question_can_be_answered_by_its_evidence_and_not_by_itself(
    question: str, answer: str, why: str | None
) -> None:
    one = DraftedLifeQuestion(question=question, answer=answer)
    asked = ["What did Ruth do in autumn?"]
    assert refused(question_fault(one, "single-point", BUCKET[:1], asked), why)


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        ("causal", {}, None),
        ("causal", {"evidence": tuple(range(1, 13))}, None),
        ("causal", {"evidence": tuple(range(1, 14))}, "13 things are given"),
        ("causal", {"evidence": (1,)}, "1 things are given"),
        ("causal", {"begins": "2021-03-03", "ends": "2021-03-02"}, "it asks from"),
        ("causal", {"ends": "2021-05-02"}, "it asks from"),
        ("causal", {"ends": "2021-05-01"}, None),
        ("causal", {"ends": "in May"}, "have to be days"),
        ("causal", {"evidence": (0, 1)}, "the numbers 1 to 13"),
        ("causal", {"possible": False, "evidence": (99,)}, None),
        ("unanswerable", {"evidence": ()}, None),
        ("unanswerable", {"evidence": (1,)}, "give no evidence"),
    ],
)
def test_a_gate_names_as_much_evidence_as_its_kind_needs_and_a_time_that_is_over(
    kind: LifeKind, changes: dict[str, Any], why: str | None
) -> None:
    said: dict[str, Any] = {"possible": True, "why": "It moved.", "outline": "What it was."}
    times = {"evidence": (1, 2), "begins": "2021-03-01", "ends": "2021-03-02"}
    gate = DraftedGate(**{**said, **times, **changes})
    assert refused(gate_fault(gate, kind, date(2021, 5, 1), BUCKET), why)


@pytest.mark.parametrize(
    ("answer", "wrong", "why"),
    [
        ("A boat of tin", ("A kite", "A goat", "A lamp"), None),
        ("A boat of tin", ("A kite", "A goat"), "2 are given"),
        ("A boat of tin", ("A kite", "A goat", "That cannot be told by anybody"), "cannot be told"),
        ("A boat of tin", ("A kite", "A goat", "I do not know."), "cannot be told"),
        ("A boat of tin", ("A kite", "a kite!", "A goat"), "say the same"),
        ("A boat of tin", ("A boat of tin and wood", "A kite", "A goat"), "stands in the right"),
        ("A boat of tin", ("Boat of tin", "A kite", "A goat"), "stands in the right"),
        ("What she lent", ("A kite", "A goat", "A lamp"), "by the words of the question"),
    ],
)
def test_wrong_answers_are_wrong_and_do_not_show_which_is_right(
    answer: str, wrong: tuple[str, ...], why: str | None
) -> None:
    one = DraftedLifeQuestion(question="What had Ruth lent?", answer=answer)
    assert refused(wrong_fault(DraftedWrong(wrong), one, 3), why)
