"""`whoknew lifelong`: what an examination of lives came to, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.lifelong import lifelong as examining
from whoknew.engine.exams.lifelong.lifelong import ExamResult
from whoknew.engine.exams.lifelong.paper import PUBLISHED
from whoknew.engine.exams.lifelong.report import PARTS, ExamReport, Figure
from whoknew.engine.exams.lifelong.validation import labels_of
from whoknew.engine.running.run import command_line
from whoknew.engine.terminal import progress
from whoknew.engine.terminal import run as runs
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.figures import counted, money, short
from whoknew.engine.terminal.options import PORT, VARIABLE, Json, alone, argument, flag, option
from whoknew.engine.terminal.seat import console

app = alone()


@app.command(epilog="Example: whoknew lifelong exam.toml --chains 1")
def command(
    plan: Annotated[str | None, argument("PLAN")] = None,
    log: Annotated[
        str | None,
        option("--log", "LOG", "Where to play to: a file, or postgresql://...", VARIABLE),
    ] = None,
    offline: Annotated[
        bool, flag("--offline", "Every mind and judge by the offline model: no key, no cost.")
    ] = False,
    chains: Annotated[
        int | None, typer.Option("--chains", min=1, metavar="N", help="How many lives in each arm.")
    ] = None,
    dry: Annotated[
        bool, flag("--dry-run", "Play nothing: say what would be played, and its cost.")
    ] = False,
    only: Annotated[bool, flag("--report", "Play nothing: report on what is on the log.")] = False,
    out: Annotated[
        Path | None, option("--out", "FOLDER", "Write tables, curves and a page there.")
    ] = None,
    compare: Annotated[
        Path | None, option("--compare", "FOLDER", "Show it beside what an earlier --out wrote.")
    ] = None,
    paper: Annotated[bool, flag("--paper", "Show it beside the paper's own figures.")] = False,
    labels: Annotated[
        Path | None, option("--labels", "FILE", "Check the judges against labels given by people.")
    ] = None,
    viewer: Annotated[
        str, option("--viewer", "URL", "Links in the page lead to this `whoknew serve`.")
    ] = f"http://127.0.0.1:{PORT}",
    trace: Annotated[
        Path | None, option("--trace", "FILE", "Write warnings there, as JSON lines.")
    ] = None,
    json: Json = False,
) -> None:
    """Play pairs of characters through many episodes; judge, compare, plot.

    PLAN is a file that `whoknew new PLAN --exam` writes; without one, ten pairs of friends live
    through 45 episodes with each of four memories, offline. The same command goes on after a stop.
    """
    if dry and only:
        raise typer.BadParameter("give --dry-run or --report, not both")
    with reporting(trace):
        exam = examining.exam_of(plan, log, chains, say_loading, offline=offline)
        other = examining.earlier(compare) if compare else None
        given = tuple(labels_of(labels)) if labels else ()
        wanted = examining.ReportOptions(out, viewer, other, paper, given)
        person = console() if examining.has_person(exam) and not (dry or only) else None
    if dry:
        answer(examining.foresee(exam), runs.foreseen, json)
        return
    watching = None if only else progress.beside_a_person if person else progress.watching
    found = answer(
        examining.sit(exam, wanted, watching, person),
        lambda one: shown(one, command_line()),
        json,
        trace=trace,
    )
    if found.run is not None and found.run.code:
        raise typer.Exit(found.run.code)


HEADS = {"believability": "BEL", "goal": "GOAL", "points": "points", "recall": "recall"}
"""The metrics that are shown, and what they are called."""


TROUBLES = ("skipped", "forgotten")
"""Turns, and memories, that could not be had: shown where there were any."""


def shown(sat: ExamResult, command: str) -> RenderableType:
    parts: list[RenderableType] = []
    if sat.run is not None and not sat.run.finished:
        parts.append(runs.shown(sat.run, command))
    parts += [*_head(sat.report), *_scores(sat.report, paper=sat.paper)]
    if sat.other is not None:
        other = f"{sat.other.name}, bank {sat.other.bank}, {sat.other.log}"
        parts.append(Text(f"Beside it: {safe(other)}", style="bold"))
        parts += _scores(sat.other)
    parts += [Text("what it took", style="bold"), _costs(sat.report), *_secrets(sat.report)]
    if sat.agreements:
        parts.append(_validation(sat.agreements))
    if sat.unmet:
        parts.append(
            Text(f"{counted(sat.unmet, 'label')} of which no judge has a verdict", style="yellow")
        )
    if sat.files:
        page = next(one for one in sat.files if one.endswith(".html"))
        parts.append(Text(f"wrote {safe(page)} and {len(sat.files) - 1} files beside it"))
    parts += list(_next(sat.report, command, sat.files))
    return Group(*parts)


def _head(found: ExamReport) -> Iterator[Text]:
    lives = max((one.lives for one in found.rows), default=0)
    yield Text(
        f"{'1 life' if lives == 1 else f'{lives} lives'} of "
        f"{found.episodes} + {found.hard} hard episodes in each of "
        f"{counted(len(found.rows), 'arm')}; bank {safe(found.bank)!r}"
    )
    if not found.finished:
        done = min(one.episodes for one in found.rows)
        whole = max(one.planned for one in found.rows)
        what = f"unfinished: {done} of {whole} episodes in the arm with the fewest"
        yield Text(what, style="yellow")
    judges = ", ".join(f"{safe(name)} ({safe(by)})" for name, by in found.judges.items())
    yield Text(f"judges: {judges or 'none'}", style="dim")
    yield Text("mean ± sample deviation over lives, each life by its own mean", style="dim")


def _scores(found: ExamReport, *, paper: bool = False) -> Iterator[RenderableType]:
    for part in PARTS:
        some = {one for row in found.rows for one in HEADS if row.figures[part][one].values}
        if not some:
            continue
        yield Text(f"{part} episodes", style="bold")
        table = _table()
        heads = [one for one in HEADS if one in some]
        for head in heads:
            table.add_column(HEADS[head], justify="right")
        for row in found.rows:
            table.add_row(safe(row.arm), *(_figure(row.figures[part][one]) for one in heads))
        if paper and part == "hard":
            for one in PUBLISHED:
                pairs = {
                    "believability": _pair(one.believability, one.believability_deviation),
                    "goal": _pair(one.goal, one.goal_deviation),
                }
                name = f"paper: {one.model}, {one.memory}"
                table.add_row(name, *(pairs.get(head, "") for head in heads), style="dim")
        yield table


def _table() -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    return table


def _costs(found: ExamReport) -> Table:
    table = _table()
    some = [one for one in TROUBLES if any(getattr(row, one) for row in found.rows)]
    for head in ("lives", "episodes", "failures", *some, "calls", "tokens", "money"):
        table.add_column(head, justify="right")
    for row in found.rows:
        whole = row.episodes == row.planned
        table.add_row(
            safe(row.arm),
            str(row.lives),
            str(row.episodes) if whole else f"{row.episodes} of {row.planned}",
            str(row.failures),
            *(str(getattr(row, one)) for one in some),
            short(row.calls),
            short(row.tokens),
            money(row.money),
        )
    return table


def _secrets(found: ExamReport) -> Iterator[Text]:
    till = "to the end" if found.finished else "so far"
    arms = {arm: kept for arm, kept in found.kept.items() if kept}
    for arm, kept in arms.items():
        if kept[-1] < 1:
            yield Text(f"{safe(arm)}: {kept[-1]:.0%} of the secrets were kept {till}")
    if arms and all(kept[-1] == 1 for kept in arms.values()):
        yield Text(f"Every secret was kept {till}.")
    if goals := sum(one.what == "goal" for one in found.secrets):
        yield Text(f"{counted(goals, 'private goal')} got out by being said aloud.")


def _validation(agreements: Sequence[Agreement]) -> Table:
    """How judges agree with people, check by check."""
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, title="judges against labels", title_justify="left"
    )
    for head in ("judge", "check"):
        table.add_column(head, overflow="fold")
    for head in ("labels", "failed", "found", "precision", "recall", "F1"):
        table.add_column(head, justify="right")
    for one in agreements:
        rates = (_rate(one.precision), _rate(one.recall), _rate(one.f1))
        counts = (str(one.labels), str(one.wanted), str(one.found))
        table.add_row(safe(one.judge), one.score, *counts, *rates)
    return table


def _next(found: ExamReport, command: str, written: Sequence[str]) -> Iterator[Text]:
    if found.finished:
        watching = safe(command_text("serve", log=found.log))
        yield Text(f"To watch any of it: {watching}", style="cyan")
        if not written:
            yield Text(f"Curves and a page: {safe(command)} --out report", style="cyan")


def _figure(one: Figure) -> str:
    return "-" if one.mean is None else _pair(one.mean, one.deviation)


def _pair(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ±{deviation:.2f}"


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
