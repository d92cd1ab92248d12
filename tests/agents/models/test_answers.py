"""What the offline model answers: from the line that a question is about, or the one beside it."""

from __future__ import annotations

from typing import Any

import pytest

from whoknew.agents.lines import Line
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.models.answers import answered
from whoknew.agents.sections import Sections

TALK = (
    ("ADA", "says", "The ferry leaves at nine."),
    ("BEN", "says to ADA", "Then we have missed the last of them."),
    ("ADA", "says", "There is a rowing boat under the pier."),
)
MEMORY = tuple(
    Line(f'[{place}] {who} {how}: "{text}"', place, who, text, act="speak")
    for place, (who, how, text) in enumerate(TALK, 4)
)


def answer(question: str, memory: tuple[Line, ...] = MEMORY, who: str = "BEN") -> dict[str, Any]:
    return answered(Sections(who=who, memory=memory, question=question))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ('Who was it that said, "The ferry leaves at nine"?', "ADA: The ferry leaves at nine."),
        (
            'When was it, right after which words, that you said, "Then we have missed the last"?',
            "ADA: The ferry leaves at nine.",
        ),
        (
            'What did ADA say next, after you said, "Then we have missed the last of them"?',
            "ADA: There is a rowing boat under the pier.",
        ),
        (
            'To whom was it that you said, "Then we have missed the last of them"?',
            "It was to ADA.",
        ),
        ("Where does the moon rise over Tartary?", "I do not know."),
    ],
)
def test_what_is_asked_for_is_answered(question: str, said: str) -> None:
    assert answer(question)["answer"] == said


def test_what_a_quotation_says_is_no_part_of_what_is_asked() -> None:
    told = "say next, to whom, after which words"
    line = Line(f'[9] ADA says: "{told}"', 9, "ADA", told)
    assert answer(f'Who was it that said, "{told}"?', (*MEMORY, line))["answer"] == f"ADA: {told}"


def test_of_what_lies_beside_a_gap_it_says_nothing() -> None:
    """The line itself is all it has."""
    question = 'What did ADA say next, after ADA said, "The ferry leaves at nine"?'
    assert answer(question, (MEMORY[0], MEMORY[2]))["answer"] == "ADA: The ferry leaves at nine."


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ('ADA wrote on the wall, "The ferry leaves at nine"', "Yes, "),
        ('CYRIL said, "The ferry leaves at nine"', "No, that was ADA: The ferry"),
        ('you said to CYRIL, "Then we have missed the last of them"', "Yes, "),
    ],
)
def test_what_a_question_takes_for_granted_is_so_but_for_who_it_was(what: str, said: str) -> None:
    assert answer(f"What do you make of it that {what}?")["answer"].startswith(said)


def test_who_was_not_there_says_so_and_what_it_knows_of_the_matter() -> None:
    hint = f" ({ExpertHint.ABSENT.value})"
    who = 'Who was it that said, "The ferry leaves at nine"?'
    assert answer(who + hint)["answer"] == "I was not there. ADA: The ferry leaves at nine."
    there = 'Were you around when ADA said, "The ferry leaves at nine"?'
    assert answer(there + hint)["answer"] == "I was not there."
    unknown = 'Who was it that said, "The moon rises over Tartary"?'
    assert answer(unknown + hint)["answer"] == "I was not there."


def test_of_what_comes_later_it_says_nothing() -> None:
    question = f'Who said, "The ferry leaves at nine"? ({ExpertHint.FUTURE.value})'
    assert answer(question) == {"answer": "I do not know of that: it has not happened yet."}


def test_a_number_of_thousands_of_digits_in_a_summary_is_no_line() -> None:
    """A model may write it, and offline: read it later."""
    noted = f'[{"9" * 5000}] ADA: "Never."\n[5] BEN: "The ferry leaves at nine."'
    summary = Line("Episode 1, as you wrote it down", 7, "BEN", noted, written=True)
    found = answer("When does the ferry leave?", (summary,))
    assert found == {"answer": "BEN: The ferry leaves at nine.", "rests_on": [5]}
