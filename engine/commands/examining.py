"""Examinations: characters before judges, and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    VARIABLE,
    File,
    Json,
    answer,
    argument,
    flag,
    group,
    option,
    reporting,
)

app = typer.Typer()


@app.command(epilog="Example: whoknew lifelong exam.toml --chains 1")
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
    from whoknew.engine.exams.lifelong import lifelong as examining
    from whoknew.engine.exams.lifelong.validation import labels_of
    from whoknew.engine.running.run import command
    from whoknew.engine.show import lifelong as show
    from whoknew.engine.show import progress
    from whoknew.engine.show import report as runs
    from whoknew.engine.show.seat import console

    if dry and only:
        raise typer.BadParameter("give --dry-run or --report, not both")
    with reporting(trace):
        exam = examining.exam_of(plan, log, chains, offline=offline)
        other = examining.earlier(compare) if compare else None
        given = tuple(labels_of(labels)) if labels else ()
        wanted = examining.ReportOptions(out, viewer, other, paper, given)
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
    if found.run is not None and found.run.code:
        raise typer.Exit(found.run.code)


bank_group = group("Banks of scenarios, from which lives are drawn.")


@bank_group.command("ls", epilog="Example: whoknew bank ls")
def ls(json: Json = False) -> None:
    """List the banks that come with Whoknew."""
    from whoknew.engine.show.banks import banks
    from whoknew.worlds import shelf

    answer(lambda: [shelf.find_bank(name) for name in shelf.bundled_banks()], banks, json)


@bank_group.command(epilog="Example: whoknew bank check mine.toml")
def check(file: File, json: Json = False) -> None:
    """Say whether a bank is sound, and no scenario in it nearly a copy of another."""
    from whoknew.engine.show.banks import checked
    from whoknew.worlds import shelf

    answer(lambda: shelf.find_bank(str(file.absolute())), checked, json)


@bank_group.command(epilog="Example: whoknew bank grow friend more.toml --model openai:gpt-5")
def grow(
    bank: Annotated[str, argument("BANK")],
    file: File,
    model: Annotated[str, option("--model", "MODEL", "Who writes them.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="So many.")] = 5,
    inspiration: Annotated[
        str | None, option("--inspiration", "TEXT", "A line to begin from.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides what is shown.")] = 1,
    json: Json = False,
) -> None:
    """Have a model write more scenarios in the manner of BANK, into FILE.

    Each is checked: two goals, a point of disagreement, no copy of another; and keeps on record
    which model wrote it, what it was shown, and what inspired it.
    """
    from whoknew.engine.exams.bank import grow as growing
    from whoknew.engine.show.banks import grown

    work = growing.grow(bank, file, model, count, inspiration, seed)
    found = answer(work, grown, json, "writing")
    if found.error or not found.sketches:
        raise typer.Exit(1)
