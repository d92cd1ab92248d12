"""The table of an exam: for each arm what its judges gave, what failed, and what it took."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from math import ceil
from typing import Any

from msgspec import Struct

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.arms import ExamArm, ExamJudge, memories_of
from whoknew.engine.exams.cell_rows import CellRow, cell_rows
from whoknew.engine.exams.cells import ExamUnit, Unit
from whoknew.engine.exams.comparing import ArmComparison, compared
from whoknew.engine.exams.curves import ExamCurve, curves
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.figures import ArmFigures, ScoredCell, ScoreTable
from whoknew.engine.exams.findings import FoundTable
from whoknew.engine.exams.judge_card import JudgeCard
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.material import (
    AskedUnits,
    asked_of,
    reading_material,
    scenes_of,
)
from whoknew.engine.exams.remarks import earlier, remarks, warning
from whoknew.engine.exams.results import CellResult, ExamFold, ExamResults
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scenes.players import by_player, players
from whoknew.engine.exams.scenes.results import SceneFold
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.opening import reading, without_password
from whoknew.engine.playing.spent import Spent


class ExamRow(Struct, frozen=True, kw_only=True):
    """One arm of the table. Of its `cells`, so many were `answered`, so many `failed`; the others are
    not asked yet. `unreviewed` counts verdicts that failed."""

    arm: str
    digest: str
    cells: int
    answered: int
    failed: int
    unreviewed: int
    calls: int
    tokens: int
    money: float | None
    judging: float | None
    """What its judges took, in dollars."""

    @property
    def far(self) -> str:
        """How many of its cells are there; and of how many, where that is not all of them."""
        done = self.answered + self.failed
        return f"{done:,}" if done == self.cells else f"{done:,} of {self.cells:,}"


class MemoryRow(Struct, frozen=True, kw_only=True):
    """What it took to derive a memory, once for all of these `arms`: so many `steps` of lives, of which
    `failed` could not be written."""

    memory: str
    model: str
    digest: str
    arms: tuple[str, ...]
    steps: int
    failed: int
    calls: int
    tokens: int
    money: float | None


class TablePart(Struct, frozen=True):
    """What stands behind an arm, a judge or a memory of the table."""

    name: str
    digest: str
    settings: dict[str, Any]


class ExamTable(Struct, frozen=True, kw_only=True):
    """What an exam came to. A `warning` says that much failed, `remarks` what else is to be known before
    any figure is believed."""

    warning: str = ""
    name: str
    log: str
    material: str
    unit: str
    """What is put to each arm: a question, or a scene."""
    units: int
    repeats: int
    version: str
    seed: int
    kinds: dict[str, int]
    rows: tuple[ExamRow, ...]
    figures: dict[str, tuple[ArmFigures, ...]]
    """Of each score of each judge, as JUDGE.SCORE: what each arm came to."""
    comparisons: dict[str, tuple[ArmComparison, ...]]
    remembering: tuple[MemoryRow, ...] = ()
    """What was spent on memory that the worlds lack, apart from what was spent on answers."""
    players: dict[str, tuple[ArmFigures, ...]] = {}
    """In scenes whose sides differ: of each score, what each who plays came to, over all arms and
    sides in which it plays."""
    player_comparisons: dict[str, tuple[ArmComparison, ...]] = {}
    arms: tuple[TablePart, ...]
    judges: tuple[TablePart, ...]
    memories: tuple[TablePart, ...] = ()
    cards: tuple[JudgeCard, ...] = ()
    """What judges let pass, where they heard planted answers."""
    own: dict[str, dict[str, int | float]] = {}
    """What its kind counts beyond that: by name, for each arm."""
    left_out: int = 0
    """So many questions are not asked, because they are doubtful."""
    struck: int = 0
    """So many were struck by somebody who looked at them."""
    curves: tuple[ExamCurve, ...] = ()
    """Of scenes of several episodes: what each score came to in each."""
    found: dict[str, FoundTable] = {}
    """What else its kind found in the worlds that it is about."""
    published: dict[str, dict[str, tuple[float, float | None]]] = {}
    """What others had of the same scores, where that was asked for: mean, and deviation."""
    main: tuple[str, ...] = ()
    """The scores that it is about, where it is not about all: arms are compared in them alone."""
    agreements: tuple[Agreement, ...] = ()
    """Judges beside people, where there are labels."""
    unmet: int = 0
    """So many labels are of what no judge has a score for."""
    remarks: tuple[str, ...] = ()

    def judged(self, score: str) -> dict[str, int]:
        """Of how many units of each kind the figures of a score are: those that are scored, or failed
        to be, in any arm."""
        found: dict[str, int] = {}
        for arm in self.figures[score]:
            for kind, one in arm.kinds.items():
                units = min(ceil((one.number + one.failures) / self.repeats), self.kinds[kind])
                found[kind] = max(found.get(kind, 0), units)
        return found

    def kind_heads(self, score: str) -> dict[str, str]:
        """Each kind of which a score has figures, with its number of units: `fact (6 of 9)`."""
        judged = self.judged(score)
        return {
            kind: f"{kind} ({f'{judged[kind]:,} of ' if judged[kind] < whole else ''}{whole:,})"
            for kind, whole in self.kinds.items()
            if kind in judged
        }

    @property
    def finished(self) -> bool:
        return all(row.answered + row.failed == row.cells for row in self.rows)


class TabledCells(Struct, frozen=True):
    """A table, and the cells that it is made of."""

    table: ExamTable
    cells: tuple[CellRow, ...]

    def __repr__(self) -> str:
        """Short: asyncio writes down what a task comes to, whether or not anybody reads that."""
        return f"TabledCells({self.table.name!r}, {len(self.cells):,} cells)"


async def report(exam: LoadedExam, options: ExamOptions) -> ExamTable:
    """The table of an exam as far as it has come. Nothing is asked."""
    return (await tabled(exam, options)).table


async def tabled(exam: LoadedExam, options: ExamOptions) -> TabledCells:
    """The same, with its cells."""
    asked = await _asked(exam, options.limit)
    async with reading(exam.plan.address) as opened:
        log = await ExamLog.to_read(opened, exam.plan.name)
        fold = await asyncio.to_thread(fold_of, exam, asked)
        await fold.go_on(log)
        return await table_of(exam, asked, log, fold, options)


WHOLE = ExamOptions()


async def table_of(
    exam: LoadedExam,
    asked: AskedUnits[ExamUnit],
    log: ExamLog,
    fold: ExamFold | SceneFold,
    options: ExamOptions = WHOLE,
) -> TabledCells:
    """The same of a log that was folded."""
    found = await fold.results(log.log)
    return await asyncio.to_thread(_made, exam, options, asked, found, await earlier(log, exam))


def fold_of(exam: LoadedExam, asked: AskedUnits[ExamUnit]) -> ExamFold | SceneFold:
    """A fold of an exam of which nothing was read yet."""
    if isinstance(exam.kind, SceneKind):
        return SceneFold.of(exam, [one for one in asked.units if isinstance(one, SceneUnit)])
    return ExamFold(exam, [one for one in asked.units if isinstance(one, Unit)])


def _made(
    exam: LoadedExam,
    options: ExamOptions,
    asked: AskedUnits[ExamUnit],
    found: ExamResults,
    before: Sequence[str],
) -> TabledCells:
    """What takes as long as there are cells: off the loop."""
    plan, units = exam.plan, asked.units
    kinds = Counter(unit.kind for unit in units)
    tables = _tables(exam, found.cells)
    parts = exam.kind.parts
    main = [name for name in tables if name.partition(".")[0] in parts]
    beside = {name: tables[name] for name in main or tables}
    counted = (exam.kind.figures(found.cells), found.findings.figures)
    own = {name: dict(arms) for some in counted for name, arms in some.items()}
    players = by_player(exam.arms, found.cells, list(beside))
    pairs = compared([*beside.values(), *players.values()], plan.seed)
    table = ExamTable(
        warning=warning(found.cells),
        name=plan.name,
        log=without_password(plan.address),
        material=without_password(exam.material),
        unit=exam.kind.unit,
        units=len(units),
        repeats=plan.repeats,
        version=version("whoknew"),
        seed=plan.seed,
        kinds=dict(sorted(kinds.items())),
        rows=tuple(_row(arm, found.cells) for arm in exam.arms),
        figures={name: one.figures() for name, one in tables.items()},
        comparisons=dict(zip(beside, pairs[: len(beside)], strict=True)),
        remembering=tuple(_remembering(exam, found)),
        players={name: one.figures() for name, one in players.items()},
        player_comparisons=dict(zip(players, pairs[len(beside) :], strict=True)),
        arms=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.arms),
        judges=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.judges),
        own=own,
        curves=(*curves(found.cells, parts), *found.findings.curves),
        found=found.findings.tables,
        main=tuple(main),
        memories=tuple(
            TablePart(one.seat.memory, one.digest, one.settings) for one in memories_of(exam.arms)
        ),
        cards=found.cards,
        left_out=asked.left_out,
        struck=asked.struck,
        remarks=tuple(remarks(exam, options, asked, found, before)),
    )
    return TabledCells(table, cell_rows(found.cells))


async def _asked(exam: LoadedExam, limit: int | None) -> AskedUnits[ExamUnit]:
    if isinstance(exam.kind, SceneKind):
        return AskedUnits(scenes_of(exam, limit))
    async with reading_material(exam) as material:
        return await asked_of(exam, material, limit)


def _row(arm: ExamArm, cells: Sequence[CellResult]) -> ExamRow:
    mine = [one for one in cells if one.cell.arm is arm]
    asked, judged = Spent(), Spent()
    for one in mine:
        asked.join(one.asked)
        judged.join(one.judged)
    return ExamRow(
        arm=arm.name,
        digest=arm.digest,
        cells=len(mine),
        answered=sum(one.answer is not None for one in mine),
        failed=sum(one.failure is not None for one in mine),
        unreviewed=sum(len(one.unreviewed) for one in mine),
        calls=asked.calls,
        tokens=asked.tokens,
        money=None if asked.unpriced else round(asked.money, 6),
        judging=None if judged.unpriced else round(judged.money, 6),
    )


def _remembering(exam: LoadedExam, found: ExamResults) -> Iterator[MemoryRow]:
    """Of the memories of the arms those for which anything was derived."""
    for memory in memories_of(exam.arms):
        took = found.memories[memory.digest]
        if took.steps or took.failed or took.spent.calls:
            arms = [arm.name for arm in exam.arms if arm.memory == memory]
            yield MemoryRow(
                memory=memory.seat.memory,
                model=memory.seat.model,
                digest=memory.digest,
                arms=tuple(arms),
                steps=took.steps,
                failed=took.failed,
                calls=took.spent.calls,
                tokens=took.spent.tokens,
                money=None if took.spent.unpriced else round(took.spent.money, 6),
            )


def _tables(exam: LoadedExam, cells: Sequence[CellResult]) -> dict[str, ScoreTable]:
    """For each score of each judge all cells that have it, and those that failed to get it. Sides of a
    scene are told apart where they differ in who plays them."""
    judges: dict[str, ExamJudge | None] = dict.fromkeys(exam.kind.parts)
    judges |= {judge.name: judge for judge in exam.judges} | dict.fromkeys(exam.kind.scored)
    names: dict[str, dict[str, None]] = {name: {} for name in judges}
    sided = bool(players(exam.arms))
    for one in cells:
        for name in one.scores:
            if sided or name.count(".") == 1:
                names[name.partition(".")[0]][name] = None
    every = [(by, name) for by in judges for name in _grouped(names[by])]
    return {name: ScoreTable.of(_scored(by, judges[by], name, cells)) for by, name in every}


def _grouped(names: Iterable[str]) -> list[str]:
    """Each score of a side behind that of both."""
    whole: dict[str, list[str]] = {}
    for name in names:
        whole.setdefault(".".join(name.split(".")[:2]), []).append(name)
    return [
        name for some in whole.values() for name in sorted(some, key=lambda one: one.count("."))
    ]


def _scored(
    by: str, judge: ExamJudge | None, name: str, cells: Sequence[CellResult]
) -> Iterator[ScoredCell]:
    for one in cells:
        score, unit = one.scores.get(name), one.cell.unit
        failed = by in one.unreviewed or (
            one.failure is not None and judge is not None and one.cell.judged_by(judge)
        )
        if score is None and not failed:
            continue  # not asked yet, or nothing for this judge to say
        yield ScoredCell(
            unit=unit.id,
            cluster=unit.cluster,
            kind=unit.kind,
            arm=one.cell.arm.name,
            tags=unit.tags,
            repeat=one.cell.repeat,
            score=score,
        )
