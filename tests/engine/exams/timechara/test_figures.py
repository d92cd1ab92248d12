"""The figures of the paper out of counts, to the digit that it prints; and those of cells by hand."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import ExamCell, ExamUnit
from whoknew.engine.exams.curve_chart import svg
from whoknew.engine.exams.plan import ExamSeat
from whoknew.engine.exams.timechara.figures import (
    DISTANCE,
    curves_of,
    figures_of,
    percent,
    standard_error,
)
from whoknew.engine.exams.timechara.paper import PAPER

TYPES = {"future %": 200, "past-absence %": 100, "past-presence %": 100, "past-only %": 200}
"""How many of the paper's 600 are of each."""

ROWS = [one for one in PAPER if one.startswith("the paper's")]


def printed(row: str) -> dict[str, float]:
    return {name: value for name, (value, _) in PAPER[row].items()}


@pytest.mark.parametrize("row", ROWS)
def test_each_row_comes_out_of_its_counts_as_it_is_printed(row: str) -> None:
    scores = printed(row)
    right = {name: round(scores[name] * of / 100) for name, of in TYPES.items()}
    for name, of in TYPES.items():
        assert f"{percent(right[name], of):.1f}" == f"{scores[name]:.1f}"
    average = percent(sum(right.values()), sum(TYPES.values()))
    assert f"{average:.1f}" == f"{scores['average %']:.1f}"


def test_there_are_twelve_rows_and_later_ones_beside_them() -> None:
    assert len(ROWS) == 12
    later = {row: printed(row)["average %"] for row in PAPER if row not in ROWS}
    assert later == {
        "the authors' later: o1-2024-12-17, zero-shot": 81.8,
        "the authors' later: o1-preview, zero-shot": 80.5,
    }


def test_the_average_of_the_first_row_is_as_printed() -> None:
    assert f"{percent(92 + 74 + 90 + 131, 600):.1f}" == "64.5"


def test_errors_are_as_printed() -> None:
    assert f"{standard_error(89, 200):.1f}" == "3.5"
    assert f"{standard_error(387, 600):.1f}" == "2.0"


ARM = ExamArm("zero-shot", ExamSeat(), {}, "digest")


def cell(
    number: int,
    kind: str,
    right: float,
    *tags: str,
    cluster: str = "",
    hint: str | None = None,
    mark: float | None = None,
) -> CellResult:
    unit = ExamUnit(id=f"{number}", kind=kind, cluster=cluster or f"{number}", tags=tags)
    scores = {"moment.right": right, "moment.temporal": right}
    if mark is not None:
        scores["who.personality"] = mark
    one = ExamCell(unit=unit, arm=ARM, repeat=1, key=f"{number}")
    return CellResult(cell=one, answer="So.", scores=scores, hint=hint)


def values(cells: list[CellResult]) -> dict[str, float]:
    return {name: arms["zero-shot"] for name, arms in figures_of(cells).items()}


def test_the_papers_first_row_comes_out_of_cells() -> None:
    counts = {"future": 92, "past-absence": 74, "past-presence": 90, "past-only": 131}
    cells: list[CellResult] = []
    for kind, right in counts.items():
        for place in range(TYPES[f"{kind} %"]):
            cells.append(cell(len(cells), kind, float(place < right)))
    found = values(cells)
    row = printed("the paper's: GPT-4o, zero-shot")
    assert all(f"{found[name]:.1f}" == f"{row[name]:.1f}" for name in (*TYPES, "average %"))
    assert f"{found['average ±']:.1f}" == "2.0"


def test_each_judge_has_figures_and_no_answer_counts_twice() -> None:
    """Two who say the same are no proof that is twice as large."""
    cells = [cell(place, "future", float(place < 3), mark=6.0) for place in range(4)]
    alone = values(cells)
    for one in cells:
        one.scores |= {"words.right": 1.0, "other.personality": 2.0}
    found = values(cells)
    for name in ("future %", "average %", "average ±"):
        assert found[f"{name} (moment)"] == alone[name] and name not in found
    assert (found["average % (words)"], found["average ± (words)"]) == (100.0, 0.0)
    assert (found["personality (who)"], found["personality (other)"]) == (6.0, 2.0)


def test_what_is_open_counts_for_no_type_and_not_for_the_average() -> None:
    cells = [cell(1, "future", 1.0), cell(2, "unsure", 0.0)]
    assert values(cells) == {"future %": 100.0, "average %": 100.0, "average ±": 0.0}


def test_fakes_are_told_from_facts_and_the_mark_has_an_error() -> None:
    marks = (6.0, 7.0, 4.0)
    cells = [
        cell(1, "past-only", 1.0, "fact", "who", mark=marks[0]),
        cell(2, "past-only", 0.0, "fake", "another place", mark=marks[1]),
        cell(3, "past-only", 1.0, "fact", mark=marks[2]),
        cell(4, "future", 1.0, "fact"),
    ]
    found = values(cells)
    assert (found["past-only, fact %"], found["past-only, fake %"]) == (100.0, 0.0)
    assert found["personality"] == mean(marks)
    assert found["personality ±"] == pytest.approx(stdev(marks) / 3**0.5)


def test_experts_are_right_by_what_was_so() -> None:
    cells = [
        cell(1, "future", 1.0, hint="future"),
        cell(2, "past-absence", 1.0, hint="absent"),
        cell(3, "past-presence", 1.0, hint="absent"),
        cell(4, "past-only", 1.0, hint="future"),
    ]
    found = values(cells)
    assert (found["temporal expert %"], found["spatial expert %"]) == (75.0, 50.0)


def test_who_was_not_asked_who_was_there_was_not_right_about_it() -> None:
    """Where it is taken for what comes later, nobody says who was there."""
    hints = ("future", "", "absent")
    cells = [cell(place, "past-presence", 1.0, hint=hint) for place, hint in enumerate(hints)]
    assert values(cells)["spatial expert %"] == 50.0
    assert "spatial expert %" not in values(cells[:1])


def test_a_curve_goes_by_the_distance_and_an_episode_counts_once() -> None:
    cells = [
        cell(1, "future", 0.0, "distance -2", cluster="a"),
        cell(2, "future", 1.0, "distance -2", cluster="a"),
        cell(3, "future", 1.0, "distance -2", cluster="b"),
        cell(4, "future", 0.0, "distance -1", cluster="b"),
        cell(5, "past-only", 1.0, "distance 0", cluster="c"),
        cell(6, "past-only", 1.0, "fact", cluster="d"),
    ]
    (curve,) = curves_of(cells)
    assert (curve.score, curve.arm, curve.axis) == (
        "moment.right, by distance",
        "zero-shot",
        DISTANCE,
    )
    found = {one.episode: (one.figure.mean, one.figure.clusters) for one in curve.points}
    assert found == {-2: (0.75, 2), -1: (0.0, 1), 0: (1.0, 1)}
    drawn = svg((curve,), "").decode()
    assert all(f">{place}<" in drawn for place in (-2, -1, 0)) and ">E" not in drawn
    assert "0 1" in drawn and DISTANCE in drawn


def test_at_one_distance_alone_there_is_no_curve() -> None:
    assert curves_of([cell(1, "future", 1.0, "distance -1"), cell(2, "future", 1.0)]) == ()
