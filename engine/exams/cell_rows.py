"""The cells of a table, a row each: what was asked, what came of it, and what it took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.exams.cell_result import CellResult, EpisodeResult
from whoknew.eventlog.nearest import nearest


class CellRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cell. Its `scores` are named JUDGE.SCORE, in each of a scene's `episodes` likewise, of each
    who was in it; `unreviewed` says of judges who failed why; `hint` what experts said, where some were asked.
    Neither answered nor failed, it is not asked yet."""

    key: str
    unit: str
    arm: str
    repeat: int
    kind: str
    tags: tuple[str, ...] = ()
    cluster: str
    world: str
    character: str
    seq: int
    hash: str
    question: str
    reference: str | None = None
    answer: str | None = None
    hint: str | None = None
    failure: str | None = None
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    unreviewed: dict[str, str] = {}
    episodes: tuple[EpisodeResult, ...] = ()
    calls: int = 0
    tokens: int = 0
    money: float | None = 0.0
    judging: float | None = 0.0

    @property
    def failed(self) -> bool:
        """Whether its answer failed, or a verdict on it."""
        return self.failure is not None or bool(self.unreviewed)


class DifferingCell(Struct, frozen=True):
    """A unit on which two arms differ: the cell of each."""

    first: CellRow
    second: CellRow

    @property
    def most(self) -> float:
        """By how much they differ, at most, in a score that both have."""
        one, other = self.first.scores, self.second.scores
        return max((abs(one[name] - other[name]) for name in one if name in other), default=0.0)


class DifferingCells(Struct, frozen=True):
    """The cells on which two arms differ in a score, or only one of which failed: those that differ
    most first. `alike` others do not."""

    first: str
    second: str
    cells: tuple[DifferingCell, ...]
    alike: int


def cell_rows(cells: Iterable[CellResult]) -> tuple[CellRow, ...]:
    return tuple(map(cell_row, cells))


def cell_row(one: CellResult) -> CellRow:
    cell, subject = one.cell, one.cell.subject
    return CellRow(
        key=cell.key,
        unit=cell.unit.id,
        arm=cell.arm.name,
        repeat=cell.repeat,
        kind=cell.unit.kind,
        tags=cell.unit.tags,
        cluster=cell.unit.cluster,
        world=subject.world,
        character=subject.character,
        seq=one.upto or subject.seq,
        hash=one.hash or subject.hash,
        question=subject.text,
        reference=subject.reference,
        answer=one.answer,
        hint=one.hint,
        failure=one.failure,
        scores=one.scores,
        reasons=one.reasons,
        unreviewed=one.unreviewed,
        episodes=one.episodes,
        calls=one.asked.calls,
        tokens=one.asked.tokens,
        money=None if one.asked.unpriced else round(one.asked.money, 9),
        judging=None if one.judged.unpriced else round(one.judged.money, 9),
    )


def check_listed(what: str, name: str, known: Iterable[str]) -> None:
    """Whether a table has an arm, a kind or a tag of this name."""
    names = list(dict.fromkeys(known))
    if name not in names:
        raise BadQuestion(f"{name!r} is no {what} of this table: {nearest(name, names)}")


def differing_cells(rows: Sequence[CellRow], first: str, second: str) -> DifferingCells:
    """Two arms beside one another, on the cells that both have done."""
    for arm in (first, second):
        check_listed("arm", arm, (row.arm for row in rows))
    if first == second:
        raise BadQuestion(f"an arm does not differ from itself: name two, not {first!r} twice")
    pairs = list(_pairs(rows, first, second))
    found = [pair for pair in pairs if _differ(pair)]
    ordered = sorted(found, key=lambda pair: (not _half_failed(pair), -pair.most))
    return DifferingCells(first, second, tuple(ordered), len(pairs) - len(found))


def _pairs(rows: Iterable[CellRow], first: str, second: str) -> Iterator[DifferingCell]:
    begun = [row for row in rows if row.answer is not None or row.failure is not None]
    others = {(row.unit, row.repeat): row for row in begun if row.arm == second}
    for row in begun:
        if row.arm == first and (other := others.get((row.unit, row.repeat))):
            yield DifferingCell(row, other)


def _differ(pair: DifferingCell) -> bool:
    return _half_failed(pair) or pair.first.scores != pair.second.scores


def _half_failed(pair: DifferingCell) -> bool:
    return pair.first.failed != pair.second.failed
