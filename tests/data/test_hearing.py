"""Who hears what in plays, held against what scholars read in hard cases."""

from __future__ import annotations

from collections import Counter, defaultdict

from hard_hearing import judged
from shared_data import data

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")
MANY = 8
"""Cases of one kind that make a share of it worth asking for."""


def test_hard_cases_of_who_hears_what_are_right_or_doubtful() -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for play in PLAYS:
        for one in judged(
            data("shakespeare", f"{play}.xml"), data("knowing", f"witnesses.{play}.jsonl")
        ):
            counts[one.kind][one.came] += 1
            if one.came == "wrong":
                wrong.append((play, one))
    total = sum(counts.values(), Counter())
    assert total["right"] / (total["right"] + total["wrong"]) >= 0.98, wrong
    assert total["doubtful"] / total.total() <= 0.12
    for kind, count in counts.items():
        assert count.total() < MANY or count["wrong"] / count.total() <= 0.15, (kind, wrong)
