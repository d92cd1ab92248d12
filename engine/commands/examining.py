"""Examinations: characters before judges, and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    VARIABLE,
    Json,
    answer,
    argument,
    flag,
    option,
    reporting,
)

app = typer.Typer()


@app.command(epilog="Example: whoknew lifelong plan.toml --out report")
def lifelong(
    plan: Annotated[str | None, argument("PLAN")] = None,
    log: Annotated[str | None, option("--log", "LOG", "Play into this log.", VARIABLE)] = None,
    offline: Annotated[bool, flag("--offline", "Every mind and judge offline.")] = False,
    chains: Annotated[
        int | None, typer.Option("--chains", min=1, metavar="N", help="So many lives an arm.")
    ] = None,
    dry: Annotated[bool, flag("--dry-run", "Only say what would run, and its cost.")] = False,
    only: Annotated[bool, flag("--report", "Play nothing: report what is on the log.")] = False,
    out: Annotated[
        Path | None, option("--out", "FOLDER", "Write tables, curves and a page there.")
    ] = None,
    compare: Annotated[
        Path | None, option("--compare", "FOLDER", "Beside an earlier --out.")
    ] = None,
    paper: Annotated[bool, flag("--paper", "Beside the paper's own figures.")] = False,
    labels: Annotated[
        Path | None, option("--labels", "FILE", "Check the judges against these.")
    ] = None,
    viewer: Annotated[
        str, option("--viewer", "URL", "Where the page finds `whoknew serve`.")
    ] = "http://127.0.0.1:8420",
    trace: Annotated[Path | None, option("--trace", "FILE", "Warnings as JSON lines.")] = None,
    json: Json = False,
) -> None:
    """Put pairs through a life of episodes; judge, compare, plot.

    PLAN is a file that `whoknew new PLAN --exam` writes; without one, ten pairs of friends live
    through 45 episodes with each of four memories, offline. The same command goes on after a stop.
    """
    from whoknew.engine.conduct import command
    from whoknew.engine.exams.lifelong import examining
    from whoknew.engine.exams.lifelong.validation import labels_of
    from whoknew.engine.show import lifelong as show
    from whoknew.engine.show import progress
    from whoknew.engine.show import report as runs
    from whoknew.engine.show.seat import console

    with reporting(trace):
        exam = examining.exam_of(plan, log, chains, offline=offline)
        other = examining.earlier(compare) if compare else None
        given = tuple(labels_of(labels)) if labels else ()
        wanted = examining.Wanted(out, viewer, other, paper, given)
        person = console() if examining.has_person(exam) and not (dry or only) else None
    if dry:
        answer(examining.foresee(exam), runs.forecast, json)
        return
    watching = None if only else progress.beside_a_person if person else progress.watching
    found = answer(
        examining.sit(exam, wanted, watching, person),
        lambda one: show.shown(one, command()),
        json,
        trace=trace,
    )
    if found.run is not None and not found.run.finished:
        raise typer.Exit(1 if found.run.failed else 3)
