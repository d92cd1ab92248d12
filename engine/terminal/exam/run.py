"""`whoknew exam run`: an exam is sat; its table, and how to go on."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import fmean as mean
from typing import Annotated, Any

import typer
from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.forecast import ExamForecast, RoleForecast, forecast
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.report import report
from whoknew.engine.exams.run import ExamOptions, Sat, has_person, run_exam
from whoknew.engine.exams.scenes.forecast import forecast_scenes
from whoknew.engine.exams.session import ExamSession
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal import run as runs
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import err, safe, whole
from whoknew.engine.terminal.exam import report as reports
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.exam.plans import of_an_exam
from whoknew.engine.terminal.figures import lasting, money, short, spent
from whoknew.engine.terminal.options import ClusterOption, Json, WorkersOption, alone, flag, option
from whoknew.engine.terminal.progress import Shown, showing
from whoknew.engine.terminal.seat import console
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew exam run exam.toml --offline")
@of_an_exam
def command(
    exam: LoadedExam,
    options: ExamOptions,
    again: Annotated[bool, flag("--again", "Ask again what failed before.")] = False,
    dry: Annotated[
        bool, flag("--dry-run", "Ask nothing: say what would be asked, and its cost.")
    ] = False,
    trace: Annotated[
        Path | None, option("--trace", "FILE", "Write warnings there, as JSON lines.")
    ] = None,
    cluster: ClusterOption = None,
    workers: WorkersOption = 2,
    json: Json = False,
) -> None:
    """Sit an exam, or go on with it; show its table.

    What is on the log is not asked again: the same command goes on after a stop, and asks what was
    added to the plan. The first Ctrl-C lets the cells in flight finish; a second one stops at once.
    """
    if dry and isinstance(exam.kind, SceneKind):
        answer(
            forecast_scenes(exam, options.limit, again=again),
            runs.foreseen,
            json,
            "trying some of its scenes",
        )
        return
    if dry:
        answer(forecast(exam, options, again=again), foreseen, json, "trying some of its cells")
        return
    with reporting():
        person = console(json=json) if has_person(exam) and cluster is None else None
    if cluster is not None:
        from whoknew.engine.exams.cluster import run_exam_on_cluster

        sitting = run_exam_on_cluster(exam, options, cluster, workers, watching, again=again)
    else:
        showing = beside_a_person if person else watching
        sitting = run_exam(exam, options, showing, person, again=again)
    work = _sat(exam, options, sitting)
    found = answer(work, lambda one: shown(one, command_line()), json, trace=trace)
    if found.sat.progress.answered and not found.sat.reason and not json:
        err().print(Group(*closing(exam, options)), crop=False)
    if found.sat.code:
        raise typer.Exit(found.sat.code)


def foreseen(found: ExamForecast) -> Group:
    """What would be asked, and what it may cost."""
    parts = [f"{found.done:,} answered already" if found.done else ""]
    parts.append(f"{found.failed:,} failed before" if found.failed else "")
    there = ", ".join(filter(None, parts)) or "none answered yet"
    head = f"{safe(found.name)}: {counted(found.cells, 'cell')}, {there}"
    every = (("memory", found.memories), ("arm", found.arms), ("judge", found.judges))
    tables = [roles_table(what, roles) for what, roles in every if roles]
    lacking = [whole(f"Before it can be run: {safe(one)}") for one in found.keys]
    return Group(Text(head, "bold"), *tables, Text(_ground(found)), *lacking, Text(NOTHING))


NOTHING = "Nothing was asked: --dry-run."


def roles_table(what: str, roles: Sequence[RoleForecast]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in (what, "model"):
        table.add_column(head, overflow="fold")
    cells = "steps" if what == "memory" else "cells"
    for head in (cells, "calls", "at most", "tokens", "money"):
        table.add_column(head, justify="right")
    for one in roles:
        tokens = "unknown" if one.tokens is None else short(one.tokens)
        counts = (f"{one.cells:,}", f"{one.calls:,}", f"{one.most:,}", tokens, money(one.money))
        table.add_row(safe(one.name), safe(one.model), *counts, style=arm_style(one.name))
    return table


def _ground(found: ExamForecast) -> str:
    """What the forecast rests on."""
    tried = max((one.tried for one in found.arms), default=0)
    prompts = f"Prompts: those of {counted(tried, 'cell')} of each arm, tried offline."
    known = sum(one.replies for one in (*found.arms, *found.judges))
    if known:
        return f"{prompts} Replies: as long as the {known:,} on this log."
    return f"{prompts} Replies: as long as the offline model's, which are short."


class SatExam(Struct, frozen=True):
    """What came of a sitting, and the table of all that is on the log."""

    sat: Sat
    table: ExamTable


async def _sat(exam: LoadedExam, options: ExamOptions, sitting: Awaitable[Sat]) -> SatExam:
    return SatExam(await sitting, await report(exam, options))


def shown(found: SatExam, command: str) -> Group:
    return Group(reports.shown(found.table), *ended(found.sat, command))


def closing(exam: LoadedExam, options: ExamOptions) -> Iterator[Text]:
    """What can be done next with an exam that was sat."""
    plan, log, (arm, *_) = exam.source, options.log, options.only or (exam.arms[0].name,)
    files = command_text("exam report", plan, out=f"{exam.plan.name}-report", log=log)
    cell = command_text("exam show", plan, arm, "1", log=log)
    yield whole(f"as a page and files: {safe(files)}", "dim")
    yield whole(f"one cell, with all that led to it: {safe(cell)}", "dim")


def ended(sat: Sat, command: str) -> Iterator[RenderableType]:
    """Why it did not come to its end, if so, and how to go on."""
    if sat.failing:
        yield Text(f"Too much failed: {safe(sat.failing)}", style="red")
    if sat.reason:
        yield Text(f"It stopped: {safe(sat.reason)}", style="yellow")
        yield whole(f"To go on: {safe(command)}")


@contextmanager
def watching(sitting: ExamSession[Any]) -> Iterator[None]:
    """Show how a sitting goes on, on stderr."""
    progress = sitting.progress
    err().print(Text(_found(progress)), soft_wrap=True)
    with showing(
        Shown(
            sitting.control,
            partial(_figures, progress),
            partial(outlook, progress),
            "cells",
        )
    ):
        yield


@contextmanager
def beside_a_person(sitting: ExamSession[Any]) -> Iterator[None]:
    """Say only what was found: the terminal belongs to who plays."""
    err().print(Text(_found(sitting.progress)), soft_wrap=True)
    yield


def _found(progress: ExamProgress) -> str:
    parts = [
        f"{progress.before:,} {progress.done} already" if progress.before else "",
        f"{progress.failed_before:,} failed before" if progress.failed_before else "",
        f"{counted(progress.reviews, 'review')} to be had" if progress.reviews else "",
        f"what {counted(progress.lives, 'character')} remember first" if progress.lives else "",
    ]
    cells = counted(progress.cells, "cell") if progress.cells else "planted answers"
    return ": ".join(filter(None, (cells, ", ".join(filter(None, parts)))))


def _figures(progress: ExamProgress) -> str:
    answered = progress.before + progress.answered
    parts = [
        f"remembering {progress.remembered}/{progress.lives} ({counted(progress.steps, 'step')})"
        if progress.remembered < progress.lives
        else "",
        f"{progress.done} {answered:>{len(str(progress.cells))}}/{progress.cells}",
        f"reviews {progress.reviewed:>{len(str(progress.reviews))}}/{progress.reviews}"
        if progress.reviews
        else "",
        f"episodes {progress.story.closed}" if progress.story else "",
        f"turns {short(progress.story.turns)}" if progress.story else "",
        f"calls {short(progress.spent.calls):>5}",
        f"tokens {short(progress.spent.tokens):>6}",
        spent(progress.spent.money, unknown=bool(progress.spent.unpriced)),
    ]
    return "  ".join(filter(None, parts))


def outlook(progress: ExamProgress, seconds: float) -> str:
    """How long it may still take, and what failed. What has to be remembered first counts as much as all
    that is answered then: while it goes on, the pace of the first answers says little."""
    parts = []
    whole = progress.cells - progress.before + progress.reviews
    done = progress.answered + progress.failed + progress.reviewed + progress.unreviewed
    counts = [(done, whole), (progress.remembered, progress.lives)]
    share = mean([one / of for one, of in counts if of] or [1])
    if seconds >= 2 and share and done < whole:
        parts.append(f"{lasting(seconds / share - seconds)} left")
    if others := progress.elsewhere:
        parts.append(f"waits for {counted(others, 'shard')} that others have")
    if failures := progress.failed + progress.unreviewed + progress.unwritten:
        parts.append(f"failed {failures}")
    return "  ".join(parts)
