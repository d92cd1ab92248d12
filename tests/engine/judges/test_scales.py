"""The scales: every vector of checks, every edge of a range, and the paper's own arithmetic."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import data

from whoknew.engine.judges.scales import (
    CHECKS,
    DIMENSIONS,
    FAILED,
    OVERALL,
    PASSED,
    believable,
    out_of_range,
    overall,
)
from whoknew.eventlog.kinds import Reviewed
from whoknew.worlds.importers.sotopia import read, worlds_of

MIDDLE = {name: (least + most) / 2 for name, (least, most) in DIMENSIONS.items()}


def test_the_ranges_are_those_of_the_paper() -> None:
    assert list(DIMENSIONS.values()) == [
        (0, 10),
        (0, 10),
        (0, 10),
        (-10, 0),
        (-5, 5),
        (-10, 0),
        (-5, 5),
    ]


@pytest.mark.parametrize("initial", range(11))
def test_each_failed_check_costs_five_and_nothing_goes_below_nothing(initial: int) -> None:
    seen = 0
    for vector in product((PASSED, FAILED), repeat=len(CHECKS)):
        failed = sum(one == FAILED for one in vector)
        wanted = initial if failed == 0 else initial - 5 if failed == 1 and initial > 5 else 0
        assert believable(initial, failed) == wanted
        seen += 1
    assert seen == 256


@given(st.fixed_dictionaries({name: st.floats(*bounds) for name, bounds in DIMENSIONS.items()}))
def test_whatever_is_in_range_passes_and_overall_is_the_plain_mean(
    scores: dict[str, float],
) -> None:
    assert out_of_range(scores) is None
    assert overall(scores) == pytest.approx(sum(scores.values()) / 7, abs=1e-12)


@pytest.mark.parametrize("name", DIMENSIONS)
@pytest.mark.parametrize("side", [0, 1])
def test_what_is_out_of_range_or_missing_is_named(name: str, side: int) -> None:
    bound = DIMENSIONS[name][side]
    assert out_of_range({**MIDDLE, name: bound}) is None
    beyond = bound + (1 if side else -1)
    assert f'"{name}" is {beyond}' in (out_of_range({**MIDDLE, name: beyond}) or "")
    assert "nan" in (out_of_range({**MIDDLE, name: float("nan")}) or "")
    without = {key: value for key, value in MIDDLE.items() if key != name}
    assert out_of_range(without) == f'"{name}" is missing'


def test_the_overall_scores_of_real_judged_episodes_follow_from_their_dimensions() -> None:
    found = read(data("sotopia", "episodes_full_20.jsonl"))
    checked = 0
    for world in worlds_of(found):
        for draft in world.drafts:
            if isinstance(draft.body, Reviewed) and set(DIMENSIONS) <= set(draft.body.scores):
                scores = draft.body.scores
                assert out_of_range(scores) is None
                assert overall(scores) == pytest.approx(scores[OVERALL], abs=1e-9)
                checked += 1
    assert checked == 40
