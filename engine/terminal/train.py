"""`whoknew train`: what an exam keeps in weights, trained ahead; and what of it nobody needs, removed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.session import ExamSession
from whoknew.engine.exams.train import PrunedWeights, TrainedAhead, prune, train
from whoknew.engine.exams.train_forecast import MemoryForecast, TrainForecast, forecast_training
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import err, safe, whole
from whoknew.engine.terminal.exam.plans import of_an_exam
from whoknew.engine.terminal.exam.run import ended
from whoknew.engine.terminal.figures import lasting, short, sized
from whoknew.engine.terminal.options import Json, alone, flag, option
from whoknew.engine.terminal.progress import Shown, showing
from whoknew.engine.terminal.waiting import waiting
from whoknew.eventlog.counted import counted

app = alone()

TRYING = "training a few rows, to see how long it takes"


@app.command(epilog="Example: whoknew train exam.toml --dry-run")
@of_an_exam
def command(
    exam: LoadedExam,
    options: ExamOptions,
    again: Annotated[bool, flag("--again", "Train again what failed before.")] = False,
    dry: Annotated[bool, flag("--dry-run", "Train nothing: say what it would take.")] = False,
    pruned: Annotated[
        bool, flag("--prune", "Train nothing: say what lies there that no event of the log names.")
    ] = False,
    yes: Annotated[bool, flag("--yes", "With --prune: remove it.")] = False,
    trace: Annotated[
        Path | None, option("--trace", "FILE", "Write warnings there, as JSON lines.")
    ] = None,
    json: Json = False,
) -> None:
    """Train what an exam keeps in weights, ahead of its questions.

    These are the steps that `whoknew exam run` takes before it asks anything: it finds them on the log.
    The same command goes on after a stop. The first Ctrl-C lets the step in flight finish.
    """
    if pruned:
        answer(prune(exam, remove=yes), _pruned, json)
        return
    if dry:
        answer(forecast_training(exam, options, again=again), foreseen, json, TRYING)
        return
    with reporting(trace), waiting(TRYING), set_aside(json):
        ahead = asyncio.run(forecast_training(exam, options, again=again))
    err().print(_table(ahead))
    for line in _lacking(ahead):
        err().print(line, soft_wrap=True)
    work = train(exam, options, partial(_watching, ahead), again=again)
    found = answer(work, lambda one: shown(one, exam, command_line()), json, trace=trace)
    if found.sat.code:
        raise typer.Exit(found.sat.code)


def foreseen(found: TrainForecast) -> Group:
    """What would be trained, and what it may take."""
    where = whole(f"It would lie in {safe(found.folder)}. Nothing was trained: --dry-run.")
    return Group(_table(found), *_lacking(found), where)


def _lacking(found: TrainForecast) -> list[RenderableType]:
    lacking = dict.fromkeys(one.lacking for one in found.memories if one.lacking)
    return [whole(f"How long it takes is not known: {safe(one)}") for one in lacking]


def _table(found: TrainForecast) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=safe(found.name), title_justify="left")
    for head in ("memory", "model"):
        table.add_column(head, overflow="fold")
    for head in ("lives", "done", "steps", "rows", "rounds", "time", "disk"):
        table.add_column(head, justify="right")
    for one in found.memories:
        counts = (one.lives, one.done, one.steps, one.rows, one.rounds)
        time = "unknown" if one.seconds is None else lasting(one.seconds)
        disk = "unknown" if one.bytes is None else sized(one.bytes)
        table.add_row(safe(_named(one)), safe(one.model), *(f"{n:,}" for n in counts), time, disk)
    return table


def _named(one: MemoryForecast) -> str:
    return f"{one.memory} ({', '.join(one.arms)})" if one.arms != (one.memory,) else one.memory


def shown(found: TrainedAhead, exam: LoadedExam, command: str) -> Group:
    progress = found.sat.progress
    failed = f", {progress.unwritten:,} failed" if progress.unwritten else ""
    steps = counted(progress.steps, "step")
    there = f"{counted(found.artefacts, 'artefact')} in {found.folder}, {sized(found.bytes)}"
    return Group(whole(f"{steps} trained{failed}. {safe(there)}"), *_next(found, exam, command))


def _next(found: TrainedAhead, exam: LoadedExam, command: str) -> Iterator[RenderableType]:
    if found.why:
        yield whole(f"Why the last one failed: {safe(found.why)}")
    yield from ended(found.sat, command)
    if not found.sat.code:
        yield whole(f"Then: {safe(command_text('exam', 'run', exam.source))}")


def _pruned(found: PrunedWeights) -> Group:
    kept = f"{counted(found.kept, 'artefact')} that {found.log} names ({sized(found.kept_bytes)})"
    lines = [whole(f"{safe(found.folder)}: {safe(kept)}")]
    if not found.unnamed and not found.unfinished:
        return Group(*lines, whole("There is nothing else in it."))
    unfinished = f", {found.unfinished:,} unfinished" if found.unfinished else ""
    what = f"{counted(len(found.unnamed), 'artefact')}{unfinished}, {sized(found.bytes)}"
    lines += [whole(f"  {digest}") for digest in found.unnamed]
    done = "were removed" if found.removed else "would be removed: --yes does it"
    return Group(*lines, whole(f"Named by no event: {what}; they {done}."))


@contextmanager
def _watching(ahead: TrainForecast, sitting: ExamSession[Any]) -> Iterator[None]:
    progress = sitting.progress
    shown = Shown(
        sitting.control,
        partial(_figures, ahead, progress),
        partial(_outlook, ahead, progress),
        "steps",
    )
    with showing(shown):
        yield


def _figures(ahead: TrainForecast, progress: ExamProgress) -> str:
    done = progress.steps + progress.unwritten
    lives = f"lives {progress.remembered}/{progress.lives}"
    return f"trained {done}/{ahead.steps}  {lives}  calls {short(progress.spent.calls)}"


def _outlook(ahead: TrainForecast, progress: ExamProgress, seconds: float) -> str:
    done = progress.steps + progress.unwritten
    left = ahead.left(done, seconds)
    parts = [f"{lasting(left)} left" if left else ""]
    parts.append(f"failed {progress.unwritten}" if progress.unwritten else "")
    return "  ".join(filter(None, parts))
