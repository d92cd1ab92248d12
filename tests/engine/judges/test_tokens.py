"""Answers beside references, token by token."""

from __future__ import annotations

import pytest
from small_answers import answered

from whoknew.engine.judges.tokens import EXACT, F1, TokenJudge, exact, f1


@pytest.mark.parametrize(
    ("answer", "reference", "same", "share"),
    [
        ("The adoption agencies.", "Adoption agencies", 1, 1.0),
        ("Adoption", "Adoption agencies", 0, 2 / 3),
        ("She researched adoption agencies", "Adoption agencies", 0, 2 * 2 / 6),
        ("agencies adoption", "Adoption agencies", 0, 1.0),
        ("no no no", "no", 0, 2 * 1 / 4),
        ("self-care", "Self care", 0, 0.0),
        ("“Mental” health!", "mental health", 1, 1.0),
        ("7 May", "7 May 2023", 0, 0.8),
        ("", "Bram", 0, 0.0),
        ("the", "Bram", 0, 0.0),
    ],
)
async def test_the_tokens_are_counted_as_squad_counts_them(
    answer: str, reference: str, same: float, share: float
) -> None:
    case = await answered(answer, reference=reference)
    (one,) = await TokenJudge(EXACT, exact).review(case)
    (other,) = await TokenJudge(F1, f1).review(case)
    assert one.scores == {EXACT: same} and other.scores == {F1: pytest.approx(share)}


@pytest.mark.parametrize("reference", [None, "", "The ...!"])
async def test_without_a_word_in_the_reference_it_fails(reference: str | None) -> None:
    (found,) = await TokenJudge(F1, f1).review(await answered("Bram", reference=reference))
    assert found.scores is None and "no words in the reference" in found.reason
