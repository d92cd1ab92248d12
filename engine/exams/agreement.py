"""How far judges can be trusted: what they say beside what people said of the same."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.eventlog.stores.store import BEHIND
from whoknew.worlds import json_lines
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadDocument, Mistake


class Agreement(Struct, frozen=True, kw_only=True):
    """One judge, by one score, beside people who looked at the same `labels`: it `found` so many, people
    `wanted` so many found, both agree on those that are `right`. `kappa` is how far its scores agree with
    theirs beyond chance, where they differ by degrees: Cohen's, weighted by the square of the
    difference. Each is None where there is nothing to take it of."""

    judge: str
    score: str
    labels: int
    found: int
    right: int
    wanted: int
    kappa: float | None = None

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.wanted if self.wanted else None

    @property
    def f1(self) -> float | None:
        whole = self.found + self.wanted
        return 2 * self.right / whole if whole else None


class AnswerLabel(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a person gives an answer: that of an `arm` to the question whose id begins with `unit`. On
    the scale of the judges whom it is held against; of one `judge`, or of all."""

    unit: str
    arm: str
    score: float
    repeat: int = 1
    judge: str | None = None


async def labels_of(path: Path) -> list[tuple[int, AnswerLabel]]:
    """The labels of a file of JSON Lines, each with its line."""
    return await asyncio.to_thread(json_lines.read, path, AnswerLabel, _faults)


def agreements(
    path: Path,
    labels: Sequence[tuple[int, AnswerLabel]],
    cells: Sequence[CellRow],
    judges: Sequence[ExamJudge],
) -> tuple[tuple[Agreement, ...], int]:
    """Each score of each judge beside the labels; and how many labels are of what has no score. A
    BadDocument tells of those that are of nothing in the exam."""
    labelled = _labelled(path, labels, cells, judges)
    scores = dict.fromkeys(name for one in cells for name in one.scores)
    found = tuple(
        agreement
        for judge in judges
        for name in scores
        if name.partition(".")[0] == judge.name
        and (agreement := _agreement(judge, name, labelled)).labels
    )
    unmet = sum(not _scores_of(cell, label) for label, cell in labelled)
    return found, unmet


def weighted_kappa(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """Cohen's kappa with quadratic weights. None where both say the same of everything: then chance
    alone would agree as well."""
    one, other = np.array(ours), np.array(theirs)
    if not len(one):
        return None
    chance = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    return None if chance == 0 else float(1 - ((one - other) ** 2).mean() / chance)


def _agreement(
    judge: ExamJudge, name: str, labelled: Sequence[tuple[AnswerLabel, CellRow]]
) -> Agreement:
    pairs = [
        (cell.scores[name], label.score)
        for label, cell in labelled
        if name in cell.scores and label.judge in (None, judge.name)
    ]
    taken = [(judge.takes(ours), judge.takes(theirs)) for ours, theirs in pairs]
    return Agreement(
        judge=judge.name,
        score=name.partition(".")[2],
        labels=len(pairs),
        found=sum(ours for ours, _ in taken),
        right=sum(ours and theirs for ours, theirs in taken),
        wanted=sum(theirs for _, theirs in taken),
        kappa=weighted_kappa([ours for ours, _ in pairs], [theirs for _, theirs in pairs]),
    )


def _labelled(
    path: Path,
    labels: Sequence[tuple[int, AnswerLabel]],
    cells: Sequence[CellRow],
    judges: Sequence[ExamJudge],
) -> list[tuple[AnswerLabel, CellRow]]:
    there = {(one.unit, one.arm, one.repeat): one for one in cells}
    units = sorted({unit for unit, _, _ in there})
    names = {judge.name for judge in judges}
    found: list[tuple[AnswerLabel, CellRow]] = []
    mistakes: list[Mistake] = []
    for line, label in labels:
        cell = there.get((_whole(label.unit, units), label.arm, label.repeat))
        if label.judge is not None and label.judge not in names:
            mistakes.append(
                Mistake(str(path), line, "judge", f"is {label.judge!r}: no judge of this exam")
            )
        elif off := _off_scale(label, judges):
            mistakes.append(Mistake(str(path), line, "score", off))
        elif cell is None:
            what = f"{label.arm!r} has no repeat {label.repeat} of a question {label.unit!r}"
            mistakes.append(Mistake(str(path), line, "", what))
        else:
            found.append((label, cell))
    if mistakes:
        raise BadDocument(mistakes)
    return found


def _off_scale(label: AnswerLabel, judges: Sequence[ExamJudge]) -> str:
    """Of which judge's scale a label is none, in words: it is held against one, or against all."""
    for judge in judges:
        least, most = judge.entry.marks()
        if label.judge in (None, judge.name) and not least <= label.score <= most:
            whose = f"{judge.name!r} gives {least:g} to {most:g}"
            named = "" if label.judge else ": name the judge whose scale it is on (judge)"
            return f"is {label.score:g}, but {whose}{named if len(judges) > 1 else ''}"
    return ""


def _whole(unit: str, units: Sequence[str]) -> str:
    """The id that begins so, where one alone does: of ids that are sorted."""
    some = units[bisect_left(units, unit) : bisect_left(units, unit + BEHIND)]
    return some[0] if len(some) == 1 or unit in some[:1] else ""


def _scores_of(cell: CellRow, label: AnswerLabel) -> list[str]:
    return [name for name in cell.scores if label.judge in (None, name.partition(".")[0])]


def _faults(label: AnswerLabel) -> Iterator[Fault]:
    if not label.unit:
        yield "unit", "is empty: give the id of a question, or the beginning of it"
    if label.repeat < 1:
        yield "repeat", f"is {label.repeat}: the first is 1"
