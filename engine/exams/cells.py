"""Cells: a question, an arm, a repeat. What is to be done is what the log lacks of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import msgspec
from msgspec import Struct

from whoknew.engine.exams.arms import ExamArm, ExamJudge
from whoknew.engine.exams.questions import ResolvedQuestion

_encode = msgspec.json.encode


class Unit(Struct, frozen=True, kw_only=True):
    """What is put to every arm: a question, where it stands in its world. `id` is the question's."""

    id: str
    asked: ResolvedQuestion
    hash: str

    @property
    def seq(self) -> int:
        return self.asked.seq


class Cell(Struct, frozen=True, kw_only=True):
    """One answer that there is to be. The key covers all that decides it, and nothing else."""

    unit: Unit
    arm: ExamArm
    repeat: int
    key: str

    def review(self, judge: ExamJudge) -> str:
        """The key of what a judge says of its answer."""
        return _digest("review", self.key, judge.digest)


def units_of(questions: Iterable[ResolvedQuestion]) -> list[Unit]:
    """In the order in which they are asked: world by world, and in each as it went on."""
    found = [Unit(id=one.question.id, asked=one, hash=one.hash.hex()) for one in questions]
    return sorted(found, key=lambda unit: (unit.asked.question.world, unit.seq))


def cells_of(units: Sequence[Unit], arms: Sequence[ExamArm], repeats: int) -> Iterator[Cell]:
    """Each cell as it is wanted: all arms on one question, then on the next."""
    for repeat, unit, arm in product(range(1, repeats + 1), units, arms):
        yield cell_of(unit, arm, repeat)


def cell_of(unit: Unit, arm: ExamArm, repeat: int) -> Cell:
    key = _digest("cell", unit.id, unit.seq, unit.hash, arm.digest, repeat)
    return Cell(unit=unit, arm=arm, repeat=repeat, key=key)


def _digest(*parts: str | int) -> str:
    return hashlib.sha256(_encode(parts)).hexdigest()[:32]
