"""The figures of the paper out of counts, to the digit that it prints."""

from __future__ import annotations

import pytest

from whoknew.engine.exams.timechara.figures import percent, standard_error
from whoknew.engine.exams.timechara.paper import PAPER

TYPES = {"future %": 200, "past-absence %": 100, "past-presence %": 100, "past-only %": 200}
"""How many of the paper's 600 are of each."""


@pytest.mark.parametrize("row", [one for one in PAPER if one.startswith("the paper's")])
def test_the_average_is_over_all_answers(row: str) -> None:
    """Each row out of its counts. (Two of the paper's are a tenth off what its own columns come to.)"""
    scores = PAPER[row]
    right = {name: round(scores[name][0] * of / 100) for name, of in TYPES.items()}
    for name, of in TYPES.items():
        assert f"{percent(right[name], of):.1f}" == f"{scores[name][0]:.1f}"
    average = percent(sum(right.values()), sum(TYPES.values()))
    assert average == pytest.approx(scores["average %"][0], abs=0.1)


def test_the_average_of_the_first_row_is_as_printed() -> None:
    assert f"{percent(92 + 74 + 90 + 131, 600):.1f}" == "64.5"


def test_errors_are_as_printed() -> None:
    assert f"{standard_error(89, 200):.1f}" == "3.5"
    assert f"{standard_error(387, 600):.1f}" == "2.0"
