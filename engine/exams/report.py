"""The table of an exam: for each arm what its judges gave, what failed, and what it took."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

from msgspec.structs import replace

from whoknew.engine.exams.arms import ExamArm, ExamJudge, memories_of, sharing
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cell_rows import cell_rows
from whoknew.engine.exams.cells import ExamUnit, Unit
from whoknew.engine.exams.comparing import compared
from whoknew.engine.exams.curves import curves
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.figures import ScoredCell, ScoreTable
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.material import (
    AskedUnits,
    asked_of,
    reading_exam,
    reading_material,
    scenes_of,
)
from whoknew.engine.exams.remarks import earlier, remarks, warning
from whoknew.engine.exams.results import ExamFold, ExamResults, WriterResult
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scenes.players import by_player, players
from whoknew.engine.exams.scenes.results import SceneFold
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.exams.table import (
    ExamRow,
    ExamTable,
    MemoryRow,
    TabledCells,
    TablePart,
    WriterRow,
)
from whoknew.engine.playing.spent import Spent
from whoknew.eventlog.shown_address import without_password


async def report(exam: LoadedExam, options: ExamOptions) -> ExamTable:
    """The table of an exam as far as it has come. Nothing is asked."""
    return (await tabled(exam, options)).table


async def tabled(exam: LoadedExam, options: ExamOptions) -> TabledCells:
    """The same, with its cells."""
    asked = await _asked(exam, options.limit)
    async with reading_exam(exam) as opened:
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
    found.lost = fold.calls.lost()
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
    counted = (exam.kind.own_figures(found.cells, exam.judges), found.findings.figures)
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
        faults=tuple(f"{one.name}.{score}" for one in exam.judges for score in one.entry.faults),
        remembering=tuple(_remembering(exam, found)),
        writing=tuple(map(_writing, found.writers)),
        players={name: one.figures() for name, one in players.items()},
        player_comparisons=dict(zip(players, pairs[len(beside) :], strict=True)),
        arms=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.arms),
        judges=tuple(TablePart(one.name, one.digest, one.settings) for one in exam.judges),
        own=own,
        curves=tuple(
            replace(one, scale=tables[one.measured].scale) if one.measured in tables else one
            for one in (
                *curves(found.cells, parts),
                *exam.kind.curves(found.cells),
                *found.findings.curves,
            )
        ),
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
        money=asked.dollars,
        judging=judged.dollars,
        prompts=sum(one.prompts for one in mine),
        leaking=sum(one.leaking for one in mine),
        refused=sum(one.refused for one in mine),
    )


def _remembering(exam: LoadedExam, found: ExamResults) -> Iterator[MemoryRow]:
    """Of the memories of the arms those for which anything was derived."""
    for memory in memories_of(exam.arms):
        took = found.memories[memory.digest]
        if took.done or took.failed or took.spent.calls:
            yield MemoryRow(
                memory=memory.seat.memory,
                model=memory.seat.model,
                digest=memory.digest,
                arms=sharing(memory, exam.arms),
                steps=took.done,
                failed=took.failed,
                calls=took.spent.calls,
                tokens=took.spent.tokens,
                money=took.spent.dollars,
            )


def _writing(writer: WriterResult) -> WriterRow:
    took = writer.took
    return WriterRow(
        model=writer.model,
        digest=writer.digest,
        places=took.done,
        failed=took.failed,
        kept=writer.kept,
        refused=writer.refused,
        texts=writer.texts,
        calls=took.spent.calls,
        tokens=took.spent.tokens,
        money=took.spent.dollars,
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
    return {
        name: ScoreTable.of(_scored(by, judges[by], name, cells), _scale(judges[by], name))
        for by, name in every
    }


def _scale(judge: ExamJudge | None, name: str) -> tuple[float, float] | None:
    """The worst and the best that a judge of answers gives: what it counts of faults has no most."""
    if judge is None or "answer" not in judge.entry.judges:
        return None
    return None if name.partition(".")[2] in judge.entry.faults else judge.entry.marks()


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
