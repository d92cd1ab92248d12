"""Which of the choices an answer names: one, or it is a failure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_answers import answered

from whoknew.agents.choices import chosen
from whoknew.engine.judges.choice import RIGHT, ChoiceJudge

CHOICES = ("Bram", "Oda", "Oda and Bram", "cannot be told")


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("Bram", ["Bram"]),
        ("It was oda, I think.", ["Oda"]),
        ("oda and BRAM!", ["Oda and Bram"]),
        ("B", ["Oda"]),
        (" b. ", ["Oda"]),
        ("B) Oda", ["Oda"]),
        ("**B**", ["Oda"]),
        ("The answer is C", ["Oda and Bram"]),
        ("Answer: (D)", ["cannot be told"]),
        ("It is Oda (B).", ["Oda"]),
        ("A man came. Oda paid.", ["Oda"]),
        ("Option A's price is high: Oda", ["Oda"]),
        ("Odalisque", []),
        ("F", []),
        ("I do not know.", []),
        ("", []),
        ("B) Bram", ["Bram", "Oda"]),
        ("Bram, or Oda.", ["Bram", "Oda"]),
        ("Oda and Bram, but Bram more.", ["Bram", "Oda and Bram"]),
        ("(A) or (B)", ["Bram", "Oda"]),
    ],
)
def test_a_choice_is_named_by_its_letter_or_its_words(answer: str, named: list[str]) -> None:
    assert chosen(answer, CHOICES) == named


async def test_the_right_one_is_a_1_and_another_a_0() -> None:
    for answer, score in (("Oda", 1.0), ("A", 0.0)):
        (found,) = await ChoiceJudge().review(
            await answered(answer, choices=CHOICES, correct="Oda")
        )
        assert found.scores == {RIGHT: score}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("Nobody.", "names none of the choices"), ("Bram or Oda", "names 'Bram' and 'Oda'")],
)
async def test_none_named_or_two_is_a_failure_and_no_score(answer: str, reason: str) -> None:
    """Law 7."""
    (found,) = await ChoiceJudge().review(await answered(answer, choices=CHOICES, correct="Oda"))
    assert found.scores is None and found.reason == f"{reason}, but should name one"


async def test_without_a_right_choice_it_fails() -> None:
    (found,) = await ChoiceJudge().review(await answered("Oda", choices=CHOICES))
    assert found.scores is None and "no choices of which one is right" in found.reason


def test_a_long_answer_takes_no_longer_than_its_length() -> None:
    """Whatever backtracks over these would never end."""
    for sign in (" ", "(", "answer ", "answer is ", "B", "*", "Bram "):
        assert set(chosen(f"answer{sign * 200_000}", CHOICES)) <= {"Bram"}


@given(st.lists(st.text("ab ", min_size=1).filter(str.strip), min_size=1), st.text())
def test_whatever_is_said_only_choices_are_named(choices: list[str], answer: str) -> None:
    assert set(chosen(answer, choices)) <= set(choices)
