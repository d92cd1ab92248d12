"""The table of an exam: for each arm what its judges gave, what failed, and what it took."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

from msgspec import Struct

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.exams.arms import ExamArm, ExamJudge, differing, memories_of
from whoknew.engine.exams.cell_rows import CellRow, cell_rows
from whoknew.engine.exams.cells import ExamUnit, Unit
from whoknew.engine.exams.comparing import ArmComparison, compared
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.figures import ArmFigures, ScoredCell, ScoreTable
from whoknew.engine.exams.judge_card import JudgeCard
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.material import (
    AskedUnits,
    asked_of,
    left_out,
    reading_material,
    scenes_of,
)
from whoknew.engine.exams.results import CellResult, ExamFold, ExamResults, results
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scenes.players import by_player, players
from whoknew.engine.exams.scenes.results import scene_results
from whoknew.engine.opening import reading, without_password
from whoknew.engine.playing.spent import Spent
from whoknew.eventlog.kinds import ArmAdded, JudgeAdded


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
    own: dict[str, dict[str, float]] = {}
    """What its kind counts beyond that: by name, for each arm."""
    left_out: int = 0
    """So many questions are not asked, because they are doubtful."""
    remarks: tuple[str, ...] = ()

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
    return await asyncio.to_thread(_made, exam, *await _came_to(exam, options.limit))


async def table_of(
    exam: LoadedExam, asked: AskedUnits[Unit], log: ExamLog, fold: ExamFold
) -> TabledCells:
    """The same of a log that was folded."""
    found = await asyncio.to_thread(fold.results)
    return await asyncio.to_thread(_made, exam, asked, found, await _earlier(log, exam))


def _made(
    exam: LoadedExam, asked: AskedUnits[ExamUnit], found: ExamResults, earlier: Sequence[str]
) -> TabledCells:
    """What takes as long as there are cells: off the loop."""
    plan, units = exam.plan, asked.units
    kinds = Counter(unit.kind for unit in units)
    tables = _tables(exam, found.cells)
    players = by_player(exam.arms, found.cells, list(tables))
    pairs = compared([*tables.values(), *players.values()], plan.seed)
    table = ExamTable(
        warning=_warning(found.cells),
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
        comparisons=dict(zip(tables, pairs[: len(tables)], strict=True)),
        remembering=tuple(_remembering(exam, found)),
        players={name: one.figures() for name, one in players.items()},
        player_comparisons=dict(zip(players, pairs[len(tables) :], strict=True)),
        arms=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.arms),
        judges=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.judges),
        own={name: dict(arms) for name, arms in exam.kind.figures(found.cells).items()},
        memories=tuple(
            TablePart(one.seat.memory, one.digest, one.settings) for one in memories_of(exam.arms)
        ),
        cards=found.cards,
        left_out=asked.left_out,
        remarks=(
            *_silence(exam, found.cells),
            *_failures(found.cells),
            *_offline_judges(exam),
            *exam.same,
            *left_out(asked.left_out, len(units)),
            *earlier,
            *_others(exam.kind.unit, found.others),
        ),
    )
    return TabledCells(table, cell_rows(found.cells))


async def _came_to(
    exam: LoadedExam, limit: int | None
) -> tuple[AskedUnits[ExamUnit], ExamResults, list[str]]:
    """Its units, what the log has of them, and what its arms and judges were before."""
    if isinstance(exam.kind, SceneKind):
        scenes = scenes_of(exam, limit)
        async with reading(exam.plan.address) as opened:
            log = await ExamLog.of(opened, exam.plan.name)
            found = await scene_results(log, exam, scenes)
            return AskedUnits(scenes), found, await _earlier(log, exam)
    async with reading_material(exam) as material:
        asked = await asked_of(exam, material, limit)
    async with reading(exam.plan.address) as opened:
        log = await ExamLog.to_read(opened, exam.plan.name)
        return asked, await results(log, exam, asked.units), await _earlier(log, exam)


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
    judges: dict[str, ExamJudge | None] = {judge.name: judge for judge in exam.judges}
    judges |= dict.fromkeys(exam.kind.scored)
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


def _silence(exam: LoadedExam, cells: Sequence[CellResult]) -> Iterator[str]:
    """Whether there is nothing yet that a figure could be made of, which is said before all else."""
    if not any(one.answer is not None for one in cells):
        asked = sum(one.asked.calls for one in cells)
        calls = f", though {asked:,} calls were made" if asked else ""
        yield f"nothing is {exam.kind.done} yet on {without_password(exam.plan.address)}{calls}"


MUCH = 0.05
"""Where a larger share failed, no figure is given without a word of it."""


def _warning(cells: Sequence[CellResult]) -> str:
    asked = sum(one.begun for one in cells)
    failed = sum(one.failure is not None or bool(one.unreviewed) for one in cells)
    if failed <= MUCH * asked:
        return ""
    return f"{failed:,} of {asked:,} cells failed: the figures are of the others alone"


def _failures(cells: Sequence[CellResult]) -> Iterator[str]:
    """What failed, and the commonest reasons of it: they are said first."""
    failed = Counter(one.failure for one in cells if one.failure is not None)
    if failed:
        asked = sum(one.begun for one in cells)
        why, count = failed.most_common(1)[0]
        yield f"{failed.total():,} of {asked:,} cells failed; {count:,} of them: {why}"
    unheard = Counter((who, why) for one in cells for who, why in one.unreviewed.items())
    if unheard:
        (who, why), count = unheard.most_common(1)[0]
        yield f"{unheard.total():,} reviews failed; {count:,} of them by {who}: {why}"


def _offline_judges(exam: LoadedExam) -> Iterator[str]:
    """A judge that understands nothing, of answers by those that may."""
    playing = [arm.name for arm in exam.arms if {*arm.models} - {OFFLINE}]
    for judge in exam.judges:
        if judge.judging.asks and judge.judging.model == OFFLINE and playing:
            yield (
                f"judge {judge.name} is the offline model, which counts words and understands none: "
                f"what it gives to {playing[0]} is no judgement"
            )


async def _earlier(log: ExamLog, exam: LoadedExam) -> list[str]:
    """What the arms and judges of the same names were before."""
    found: list[str] = []
    arms = {one.name: one for one in exam.arms}
    judges = {one.name: one for one in exam.judges}
    for event in await log.landmarks():
        body = event.body
        if not isinstance(body, ArmAdded | JudgeAdded):
            continue
        what = "arm" if isinstance(body, ArmAdded) else "judge"
        one = (arms if isinstance(body, ArmAdded) else judges).get(body.name)
        if one is not None and one.digest != body.digest:
            how = "; ".join(differing(body.settings, one.settings))
            found.append(f"{what} {body.name} was another one before, which is not counted: {how}")
    return found


OTHERS = {
    "arms": "of arms that the plan does not have",
    "questions": "to questions that are not asked any more, or were worded otherwise",
    "worlds": "about worlds that have changed since",
    "repeats": "of further repeats",
    "scenes": "of scenes that are not played any more, or are others now",
    "seeds": "of another seed, or of earlier rules of play",
}


def _others(unit: str, others: Counter[str]) -> Iterator[str]:
    what = "answers" if unit == "question" else f"{unit}s"
    for why, count in others.items():
        yield f"{count:,} more {what} on the log are {OTHERS[why]}: they are not counted"
