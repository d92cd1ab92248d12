"""Whether an exam of moments shows what the paper TimeChara found, and by more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.comparing import compared
from whoknew.engine.exams.figures import ArmFigures, ScoredCell, ScoreTable
from whoknew.engine.exams.timechara.labels import FUTURE, ONLY

RAG, CUTOFF, BOTH = "unsafe:rag", "unsafe:rag-cutoff", "unsafe:experts-rag-cutoff"
READ, EXPERTS = "unsafe:read", "unsafe:read-experts"
SCORE = "moment.right"

TWO_IN_A_HUNDRED = 1.96
"""So many errors apart two shares differ by chance in one of twenty cases."""


class PaperClaim(NamedTuple):
    """What the paper says, how large it is here, and whether it shows: by more than chance."""

    claim: str
    told: str
    shows: bool


def claims(cells: Sequence[CellRow]) -> Iterator[PaperClaim]:
    """Each of the paper's, of an exam with its arms."""
    ahead = [one for one in cells if one.kind == FUTURE]
    read = [one for one in ahead if one.arm not in (READ, EXPERTS)]
    others = {one.arm for one in read} - {RAG}
    yield _all_differ("RAG is the worst on the future", read, RAG, others, lower=True)
    yield _all_differ("a cutoff lifts the future", ahead, CUTOFF, {RAG})
    yield _lift(cells)
    average = [one for one in cells if one.arm in (RAG, CUTOFF, BOTH)]
    yield _all_differ("experts with a cutoff are best on average", average, BOTH, {RAG, CUTOFF})
    yield _fakes([one for one in cells if one.kind == ONLY])


def _table(cells: Sequence[CellRow]) -> ScoreTable:
    return ScoreTable.of(
        ScoredCell(
            unit=one.unit,
            cluster=one.cluster,
            kind=one.kind,
            arm=one.arm,
            tags=one.tags,
            score=one.scores.get(SCORE),
        )
        for one in cells
    )


def _all_differ(
    claim: str, cells: Sequence[CellRow], arm: str, others: set[str], *, lower: bool = False
) -> PaperClaim:
    """Whether an arm differs from each of the others, in this direction."""
    told: list[str] = []
    shows = True
    for one in compared([_table(cells)], seed=1)[0]:
        if arm in (one.first, one.second) and {one.first, one.second} & others:
            mine = (one.difference or 0.0) * (1 if one.first == arm else -1)
            shows &= one.tells and (mine < 0 if lower else mine > 0)
            other = one.second if one.first == arm else one.first
            told.append(f"{other} {100 * mine:+.1f} (p {one.holm or 0:.3f})")
    return PaperClaim(claim, "; ".join(told), shows and bool(told))


def _lift(cells: Sequence[CellRow]) -> PaperClaim:
    """Whether experts lift the future most, of one who has read the whole story."""
    kinds = {one.arm: one.kinds for one in _table(cells).figures()}
    lifts = {
        kind: (kinds[EXPERTS][kind].mean or 0.0) - (kinds[READ][kind].mean or 0.0)
        for kind in kinds[READ]
    }
    told = ", ".join(f"{kind} {100 * lift:+.0f}" for kind, lift in lifts.items())
    ahead = [one for one in cells if one.kind == FUTURE and one.arm in (READ, EXPERTS)]
    lifted = _all_differ("", ahead, EXPERTS, {READ}).shows
    most = max(lifts, key=lambda kind: lifts[kind]) == FUTURE
    return PaperClaim("experts lift the future most", told, lifted and most)


def _fakes(cells: Sequence[CellRow]) -> PaperClaim:
    """Whether questions on what was not so are harder than those on what was, for all who read passages."""
    told: list[str] = []
    shows = True
    for one in _table([cell for cell in cells if cell.arm in (RAG, CUTOFF, READ)]).figures():
        apart, error = _apart(one)
        shows &= apart > TWO_IN_A_HUNDRED * error
        told.append(f"{one.arm} {100 * apart:+.1f} ± {100 * error:.1f}")
    return PaperClaim("fakes are harder than facts", "; ".join(told), shows and bool(told))


def _apart(figures: ArmFigures) -> tuple[float, float]:
    """By how much facts are easier, and its error."""
    fact, fake = figures.tags["fact"], figures.tags["fake"]
    error = sqrt((fact.error or 0.0) ** 2 + (fake.error or 0.0) ** 2)
    return (fact.mean or 0.0) - (fake.mean or 0.0), error
