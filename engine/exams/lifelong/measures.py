"""What the verdicts on one character in one episode come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.judges.scales import CHECKS, FAILED, OVERALL, believable
from whoknew.worlds.beginning import POINTS

BEL, GOAL, OVER_ALL, SHARE, RECALL = "BEL", "GOAL", "overall", "points", "recall"
"""Believability, less 5 for each failed check, and how far the goal was reached, each of 10, as the
paper plots them; the mean of the seven; the part of the most points that one could have; the part of
the evidence that came to mind."""


def measured(scores: Mapping[str, float], judges: Sequence[ExamJudge]) -> dict[str, float]:
    """Only what there is a value of. Of several judges of one kind the first counts. Believability
    needs both its judges, where the exam has both."""
    by = {kind: _of(scores, judges, kind) for kind in ("dimensions", "checklist", "evidence")}
    seven, checks, evidence = by["dimensions"], by["checklist"], by["evidence"]
    found: dict[str, float] = {}
    if seven:
        if checks or not any(judge.judging.by == "checklist" for judge in judges):
            failed = sum(checks.get(name) == FAILED for name in CHECKS)
            found[BEL] = believable(seven["believability"], failed)
        found |= {GOAL: seven["goal"], OVER_ALL: seven[OVERALL]}
    if (share := scores.get(f"{POINTS}.share")) is not None:
        found[SHARE] = share
    if evidence:
        found[RECALL] = evidence["recall"]
    return found


def _of(scores: Mapping[str, float], judges: Sequence[ExamJudge], kind: str) -> dict[str, float]:
    """What the first judge of a kind gave."""
    of = next((f"{judge.name}." for judge in judges if judge.judging.by == kind), None)
    mine = [name for name in scores if of is not None and name.startswith(of)]
    return {name.removeprefix(of or ""): scores[name] for name in mine}
