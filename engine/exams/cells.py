"""Cells: a unit, an arm, a repeat. What is to be done is what the log lacks of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import product, starmap
from typing import TypeVar

import msgspec
from msgspec import Struct

from whoknew.engine.exams.arms import ExamArm, ExamJudge
from whoknew.engine.exams.questions import ResolvedQuestion

T = TypeVar("T")
U = TypeVar("U")

_encode = msgspec.json.encode

KEY = 32
"""Signs of the key of a cell, a review or a step."""


class ExamUnit(Struct, frozen=True, kw_only=True):
    """What is put to every arm. Those of one `cluster` are no independent proof."""

    id: str
    kind: str
    cluster: str
    tags: tuple[str, ...] = ()


class Unit(ExamUnit, frozen=True, kw_only=True):
    """A question, where it stands in its world. `id` is the question's."""

    asked: ResolvedQuestion
    hash: str

    @property
    def seq(self) -> int:
        return self.asked.seq


class CellSubject(Struct, frozen=True, kw_only=True):
    """What a cell is about, as tables show it: what stands up to `seq` in a world, whose hash there is
    `hash`."""

    world: str
    character: str
    text: str
    reference: str | None = None
    seq: int = 0
    hash: str = ""


class ExamCell(Struct, frozen=True, kw_only=True):
    """One result that there is to be. The key covers all that decides it, and nothing else."""

    unit: ExamUnit
    arm: ExamArm
    repeat: int
    key: str
    heard: bool = True
    """Whether judges hear it when it is done: else they sat in it."""

    @property
    def subject(self) -> CellSubject:
        raise NotImplementedError

    def review(self, judge: ExamJudge, episode: int = 0) -> str:
        """The key of what a judge says of it; or anew of one `episode` of it, where it sat and failed."""
        return digest_key("review", self.key, judge.digest, *([episode] if episode else []))

    def judged_by(self, judge: ExamJudge) -> bool:
        """Whether there is all that a judge needs."""
        return True


class Cell(ExamCell, frozen=True, kw_only=True):
    """An answer to a question."""

    unit: Unit

    @property
    def subject(self) -> CellSubject:
        question = self.unit.asked.question
        return CellSubject(
            world=question.world,
            character=question.character,
            text=question.question,
            reference=question.reference,
            seq=self.unit.seq,
            hash=self.unit.hash,
        )

    def judged_by(self, judge: ExamJudge) -> bool:
        return judge.can_judge(self.unit.asked.question)


def units_of(questions: Iterable[ResolvedQuestion]) -> list[Unit]:
    """In the order in which they are asked: world by world, and in each as it went on."""
    found = [
        Unit(
            id=one.question.id,
            kind=one.question.kind,
            cluster=one.cluster,
            tags=one.question.tags,
            asked=one,
            hash=one.hash.hex(),
        )
        for one in questions
    ]
    return sorted(found, key=lambda unit: (unit.asked.question.world, unit.seq))


def parts_of(
    units: Sequence[U], arms: Sequence[ExamArm], repeats: int
) -> Iterator[tuple[U, ExamArm, int]]:
    """What each cell is made of, as they are wanted: all arms on one unit, then on the next."""
    for repeat, unit, arm in product(range(1, repeats + 1), units, arms):
        yield unit, arm, repeat


def cells_of(units: Sequence[Unit], arms: Sequence[ExamArm], repeats: int) -> Iterator[Cell]:
    return starmap(cell_of, parts_of(units, arms, repeats))


def cell_of(unit: Unit, arm: ExamArm, repeat: int) -> Cell:
    key = digest_key("cell", unit.id, unit.seq, unit.hash, arm.digest, repeat)
    return Cell(unit=unit, arm=arm, repeat=repeat, key=key)


def spread(some: Sequence[T], count: int) -> list[T]:
    """At most so many of them, from all over."""
    step = max(1, len(some) / count)
    return [some[int(place * step)] for place in range(min(count, len(some)))]


def digest_key(*parts: str | int) -> str:
    return hashlib.sha256(_encode(parts)).hexdigest()[:KEY]
