"""Arms beside one another: planted truths come out as often as statistics promise, and no oftener."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import astuple
from scipy import stats

from whoknew.engine.exams import comparing
from whoknew.engine.exams.comparing import ArmComparison, worded
from whoknew.engine.exams.figures import Floats, ScoredCell, ScoreTable

DRAWS = 500
"""Enough for a level of 5 %: exams take 10,000."""


def table(scores: Floats, clusters: int | None = None) -> ScoreTable:
    """A row for each unit, a column for each arm: NaN has no cell."""
    return ScoreTable.of(
        ScoredCell(
            unit=f"u{row:06}",
            cluster=f"c{row % (clusters or len(scores)):06}",
            kind="fact",
            arm=f"arm {column}",
            score=float(score),
        )
        for row, line in enumerate(scores)
        for column, score in enumerate(line)
        if not np.isnan(score)
    )


def compared(
    some: ScoreTable, seed: int, draws: int = comparing.DRAWS
) -> tuple[ArmComparison, ...]:
    """Of one score."""
    (found,) = comparing.compared([some], seed, draws)
    return found


def told_apart(tables: list[ScoreTable]) -> int:
    """In how many any arm is called better."""
    return sum(
        any(" is better than " in worded(one) for one in compared(some, number, DRAWS))
        for number, some in enumerate(tables)
    )


def test_equal_arms_are_told_apart_in_one_table_of_twenty() -> None:
    """However many arms there are. Of 300 such tables 15 are to be expected, 4 to 29 in 999 of 1,000."""
    chance = np.random.default_rng(1)
    for arms in (2, 4):
        tables = [table((chance.random((60, arms)) < 0.6).astype(float)) for _ in range(300)]
        assert 4 <= told_apart(tables) <= 29


def test_a_known_difference_is_told_at_the_rate_that_it_should_be() -> None:
    """0.55 and 0.75, in 100 cells each: the normal approximation says 0.86."""
    chance, expected = np.random.default_rng(2), 0.2 / ((0.55 * 0.45 + 0.75 * 0.25) / 100) ** 0.5
    power = stats.norm.cdf(expected - stats.norm.ppf(0.975))
    tables = [table((chance.random((100, 2)) < (0.55, 0.75)).astype(float)) for _ in range(200)]
    low, high = stats.binom.interval(0.999, 200, power)
    assert power == pytest.approx(0.86, abs=0.01) and low <= told_apart(tables) <= high


def test_what_the_cells_of_a_cluster_share_is_not_taken_for_proof() -> None:
    """Each cluster favours one arm or the other, by chance: a test that takes cells for independent
    finds that all the time."""
    chance, naive, tables = np.random.default_rng(3), 0, []
    for _ in range(300):
        scores = chance.normal(size=(120, 2))
        scores[:, 0] += np.tile(chance.normal(size=12), 10)
        naive += stats.ttest_rel(*scores.T).pvalue < 0.05
        tables.append(table(scores, 12))
    assert naive > 75 and 4 <= told_apart(tables) <= 29


def test_its_intervals_hold_the_truth_as_often_as_they_say() -> None:
    chance = np.random.default_rng(4)
    for clusters in (6, 15, 60):
        held = 0
        for number in range(300):
            scores = chance.normal(size=(60, 2)) + np.array([0.3, 0])
            scores[:, 0] += np.resize(chance.normal(size=clusters), 60)
            [one] = compared(table(scores, clusters), number, DRAWS)
            assert one.low is not None and one.high is not None
            held += one.low <= 0.3 <= one.high
        assert 270 <= held <= 297, clusters  # 285 are to be expected


@pytest.mark.parametrize("clusters", [2, 5, 11])
def test_with_few_clusters_its_p_is_scipys_to_the_last_digit(clusters: int) -> None:
    scores = np.random.default_rng(clusters).integers(0, 3, (40, 2)).astype(float)
    sums = np.bincount(np.arange(40) % clusters, scores[:, 0] - scores[:, 1])
    peer = stats.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    [one] = compared(table(scores, clusters), seed=1)
    assert one.p == pytest.approx(peer.pvalue, abs=1e-12)


def test_with_many_clusters_it_is_where_scipy_is() -> None:
    scores = np.random.default_rng(7).normal(size=(200, 2)) + np.array([0.15, 0])
    differences = scores[:, 0] - scores[:, 1]
    [one] = compared(table(scores), seed=1)
    peer = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=9999, rng=1
    )
    assert one.p == pytest.approx(peer.pvalue, abs=0.02)
    assert one.error == pytest.approx(stats.sem(differences))
    interval = stats.bootstrap((differences,), np.mean, method="percentile", rng=1)
    tolerance = 0.05 * stats.sem(differences) * 2
    assert one.low == pytest.approx(interval.confidence_interval.low, abs=tolerance)
    assert one.high == pytest.approx(interval.confidence_interval.high, abs=tolerance)


def test_of_few_clusters_intervals_are_wider_as_the_t_distribution_is() -> None:
    for clusters in (4, 10, 50, 1000):
        level = stats.norm.cdf(
            -stats.t.ppf(0.975, clusters - 1) * (clusters / (clusters - 1)) ** 0.5
        )
        assert comparing._tail(clusters) == pytest.approx(level, rel=0.15)


def test_arms_are_compared_on_the_cells_that_both_have() -> None:
    nan = float("nan")
    scores = np.array([[1, 0, nan], [1, 1, nan], [0, nan, 1], [1, 0, nan]])
    found = {(one.first, one.second): one for one in compared(table(scores), seed=1)}
    assert (one := found["arm 0", "arm 1"]).cells == 3 and one.difference == pytest.approx(2 / 3)
    assert found["arm 0", "arm 2"].cells == 1 and found["arm 0", "arm 2"].p is None
    assert " on 1 cell," in worded(found["arm 0", "arm 2"])
    assert "have no cells in common" in worded(found["arm 1", "arm 2"])


def test_many_comparisons_are_corrected_for() -> None:
    """By Holm: the least p counts as often as there are comparisons, the next once less."""
    scores = np.random.default_rng(5).normal(size=(80, 4)) + np.array([0, 0.1, 0.3, 0.5])
    found = sorted(compared(table(scores), seed=1), key=lambda one: one.p or 0)
    highest = 0.0
    for rank, one in enumerate(found):
        assert one.p is not None and one.comparisons == 6
        highest = max(highest, min(1.0, one.p * (6 - rank)))
        assert one.holm == pytest.approx(highest)


def test_they_are_corrected_for_over_all_scores_together() -> None:
    """Three scores of three equal arms: of 200 such exams 10 are to be expected in which any arm is called
    better in any score, 22 at most in 999 of 1,000; if each score stood for itself, more."""
    chance, wrong, apart = np.random.default_rng(10), 0, 0
    for number in range(200):
        tables = [table((chance.random((60, 3)) < 0.6).astype(float)) for _ in range(3)]
        found = comparing.compared(tables, number, DRAWS)
        assert {one.comparisons for pairs in found for one in pairs} == {9}
        wrong += any(one.tells for pairs in found for one in pairs)
        apart += any(one.tells for some in tables for one in compared(some, number, DRAWS))
    assert wrong <= 22 and wrong < apart


def test_what_comes_of_two_arms_hangs_on_no_third_and_on_no_order() -> None:
    scores = np.random.default_rng(6).normal(size=(50, 3))
    [alone] = compared(table(scores[:, :2], 9), seed=3)
    three = compared(table(scores, 9), seed=3)[0]
    assert (alone.low, alone.high, alone.p) == (three.low, three.high, three.p)
    assert compared(table(scores, 9), seed=3) == compared(table(scores, 9), seed=3)
    [other] = compared(table(scores[:, :2], 50), seed=4)
    assert other.p != compared(table(scores[:, :2], 50), seed=3)[0].p


def test_arms_that_are_the_same_differ_by_nothing() -> None:
    [one] = compared(table(np.repeat(np.arange(20.0)[:, None], 2, axis=1)), seed=1)
    assert (one.difference, one.low, one.high, one.p, one.more) == (0, 0, 0, 1, None)
    assert "cannot be told apart" in worded(one)


def test_so_many_more_cells_would_tell_at_the_rate_that_is_promised() -> None:
    chance = np.random.default_rng(8)
    [one] = compared(table(chance.normal(size=(50, 2)) + np.array([0.3, 0])), seed=1)
    assert one.more and one.difference and one.error
    error = one.error * (50 / (50 + one.more)) ** 0.5
    assert stats.norm.cdf(abs(one.difference) / error - 1.96) == pytest.approx(0.8, abs=0.01)


def test_more_clusters_than_are_drawn_from_are_joined_by_lot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = np.random.default_rng(9).normal(size=(400, 2)) + np.array([0.2, 0])
    [whole] = compared(table(scores), seed=1)
    monkeypatch.setattr(comparing, "MOST", 100)
    [joined] = compared(table(scores), seed=1)
    assert (joined.difference, joined.clusters) == (whole.difference, 400)
    assert joined.low == pytest.approx(whole.low, abs=0.05)
    assert joined.high == pytest.approx(whole.high, abs=0.05)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "a is better than b: +0.200 on 1,000 cells (+0.100 to +0.300, p 0.004)"),
        (
            {"difference": -0.2, "low": -0.3, "high": -0.1},
            "b is better than a: +0.200 on 1,000 cells (+0.100 to +0.300",
        ),
        (
            {"holm": 0.06, "more": 1234},
            "+0.200 on 1,000 cells (+0.100 to +0.300, p 0.060); about 1,200 more cells would tell",
        ),
        (
            {"holm": 0.6, "clusters": 6},
            "p 0.600), of 6 clusters: it takes 8 at least",
        ),
        ({"holm": 0.06, "more": 0}, "(+0.100 to +0.300, p 0.060)"),
        ({"p": None, "holm": None}, "all of one cluster: whether that is chance cannot be told"),
    ],
)
def test_better_is_said_of_nothing_that_may_be_chance(
    changed: dict[str, float | None], told: str
) -> None:
    values = {
        "clusters": 9,
        "difference": 0.2,
        "low": 0.1,
        "high": 0.3,
        "p": 0.001,
        "holm": 0.004,
        **changed,
    }
    one = ArmComparison(first="a", second="b", cells=1000, comparisons=6, **values)
    assert told in worded(one) and (" better " in worded(one)) == one.tells


@pytest.mark.parametrize(("comparisons", "least"), [(1, 6), (3, 7), (6, 8)])
def test_the_largest_difference_tells_something_from_so_many_clusters_on(
    comparisons: int, least: int
) -> None:
    for clusters in (least - 1, least):
        arms = {1: 2, 3: 3, 6: 4}[comparisons]
        scores = np.tile(np.arange(float(arms)), (clusters, 1))
        found = compared(table(scores), seed=1)[0]
        assert found.least == least
        assert found.tells == (clusters == least)


def test_every_pair_is_there_once() -> None:
    found = compared(table(np.zeros((4, 4))), seed=1)
    assert [(one.first, one.second) for one in found] == [
        (f"arm {one}", f"arm {other}") for one, other in combinations(range(4), 2)
    ]


def test_memory_does_not_grow_with_the_pairs_of_many_arms(monkeypatch: pytest.MonkeyPatch) -> None:
    many = table(np.random.default_rng(3).normal(size=(12, 60)))
    tracemalloc.start()
    (found,) = comparing.compared([many, many], seed=1)[:1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 60 * 59 // 2
    assert peak < comparing.AT_ONCE * 8 * 5
    monkeypatch.setattr(comparing, "AT_ONCE", comparing.DRAWS * 7)
    again = comparing.compared([many, many], seed=1)[1]
    assert [list(astuple(one)) for one in found] == [_nearly(one) for one in again]


def _nearly(one: ArmComparison) -> list[object]:
    """To what sums of floats tell that are taken in another order."""
    return [
        pytest.approx(value, rel=1e-9, abs=1e-12) if isinstance(value, float) else value
        for value in astuple(one)
    ]


def test_among_many_comparisons_more_is_drawn_and_the_same_for_the_same_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = np.random.default_rng(4).normal(size=(40, 36))
    scores[:, 0] += 3.0
    found = compared(table(scores), seed=1)
    assert found == compared(table(scores), seed=1) and found[0].comparisons == 630
    assert all(one.tells for one in found[:35]) and not any(one.tells for one in found[35:])
    monkeypatch.setattr(comparing, "ROUNDS", 1)
    fewer = compared(table(scores), seed=1)
    assert not any(one.tells for one in fewer)
    often = [(one.p, other.p) for one, other in zip(found, fewer, strict=True) if other.p > 0.002]  # type: ignore[operator]
    assert len(often) > 500 and all(one == other for one, other in often)


def test_more_of_a_fault_is_not_better() -> None:
    one = ArmComparison(
        first="a",
        second="b",
        cells=9,
        clusters=9,
        difference=-0.5,
        low=-0.6,
        high=-0.4,
        p=0.001,
        holm=0.004,
    )
    assert (
        worded(one, fault=True)
        == "b has more of it than a: +0.500 on 9 cells (+0.400 to +0.600, p 0.004)"
    )


def test_of_too_few_clusters_it_is_said_how_many_it_takes() -> None:
    apart = np.column_stack([np.zeros(6), np.full(6, 9.0)])
    few = comparing.compared([table(apart)] * 9, seed=1)[0][0]
    assert not few.tells, "six signs that are drawn are all the same too often, of nine comparisons"
    assert (
        comparing.too_few_clusters([few]) == "of 6 clusters: it takes 9 at least to tell anything"
    )
    assert worded(few).endswith(f", {comparing.too_few_clusters([few])}")
    more = comparing.compared([table(np.tile(apart, (2, 1)))] * 9, seed=1)[0][0]
    assert more.tells and comparing.too_few_clusters([few, more]) is None
