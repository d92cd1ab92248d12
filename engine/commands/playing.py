"""Playing worlds, and seeing how they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    DEFAULT_LOG,
    VARIABLE,
    Json,
    LogOption,
    World,
    answer,
    argument,
    flag,
    option,
    reporting,
)

app = typer.Typer()


@app.command(epilog="Example: whoknew demo --log diner.db")
def demo(
    log: Annotated[str | None, option("--log", "LOG", "Keep what is played in this log.")] = None,
) -> None:
    """Play ten nights in a diner; show who knew what, when.

    It needs no key and no network.
    """
    from whoknew.engine.running.demo import demo as play
    from whoknew.engine.show.demo import shown

    answer(play(log), shown)


@app.command(epilog="Example: whoknew run plan.toml --dry-run")
def run(
    plan: Annotated[str | None, argument("PLAN")] = None,
    log: Annotated[str | None, option("--log", "LOG", "Play into this log.", VARIABLE)] = None,
    offline: Annotated[
        bool, flag("--offline", "Every mind and judge offline: no key, no cost.")
    ] = False,
    chains: Annotated[
        int | None, typer.Option("--chains", min=1, metavar="N", help="So many chains.")
    ] = None,
    dry: Annotated[bool, flag("--dry-run", "Only say what would run, and its cost.")] = False,
    trace: Annotated[Path | None, option("--trace", "FILE", "Warnings as JSON lines.")] = None,
    world: Annotated[
        str | None, option("--world", "WORLD", "Go on with this one, by the plan on its log.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a plan, or go on with it.

    PLAN is a file, or one of `whoknew worlds`, which offline minds then play into WORLD.db. A fork
    is gone on with by --world.

    The first Ctrl-C lets the turns in flight finish; a second one stops at once. Nothing is lost.
    """
    from whoknew.engine.running import forecast
    from whoknew.engine.running import run as conduct
    from whoknew.engine.show import progress
    from whoknew.engine.show import report as show
    from whoknew.engine.show.seat import console

    if (plan is None) == (world is None):
        raise typer.BadParameter("name a PLAN, or give --world")
    with reporting(trace):
        loaded = conduct.load(plan, world, conduct.Options(log, chains, offline))
        person = console() if conduct.has_person(loaded) and not dry else None
    if dry:
        answer(forecast.forecast(conduct.program_of(loaded)), show.forecast, json)
        return
    watching = progress.beside_a_person if person else progress.watching
    work = conduct.run_program(conduct.program_of(loaded), loaded.source, watching, person)
    report = answer(work, lambda one: show.shown(one, conduct.command()), json, trace=trace)
    if report.code:
        raise typer.Exit(report.code)


@app.command(epilog="Example: whoknew ls --log midnight-diner.db")
def ls(log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """List the worlds of a log: how each stands, what it cost."""
    from whoknew.engine.logs.ls import roster
    from whoknew.engine.show.roster import shown

    answer(roster(log), lambda found: shown(found, log), json)


@app.command(epilog="Example: whoknew stop midnight-diner")
def stop(
    world: Annotated[str | None, argument("WORLD")] = None,
    log: Annotated[str | None, option("--log", "LOG", "Only runs into it.", VARIABLE)] = None,
    every: Annotated[bool, flag("--all", "Every run of yours here.")] = False,
    now: Annotated[bool, flag("--now", "Drop the calls in flight.")] = False,
    json: Json = False,
) -> None:
    """Stop a run on this machine in order; it can go on later.

    WORLD is one that it plays, or its plan. The turns in flight are finished first; with --now
    their calls are dropped, and written down as dropped.
    """
    from whoknew.engine.running import stop as running
    from whoknew.engine.show.running import stopped, waiting

    if (world is None) == (not every):
        raise typer.BadParameter("name a WORLD, or give --all")
    answer(lambda: running.stop(world, log, now=now, waiting=waiting), stopped, json)


@app.command(epilog="Example: whoknew show midnight-diner --log midnight-diner.db --episode 2")
def show(
    world: World,
    log: LogOption = DEFAULT_LOG,
    episode: Annotated[
        int | None, typer.Option("--episode", min=1, metavar="N", help="Only this episode.")
    ] = None,
    memories: Annotated[bool, flag("--memories", "Also what each remembered.")] = False,
    json: Json = False,
) -> None:
    """Tell what happened in a world, and who witnessed it."""
    from whoknew.engine.show.told import shown
    from whoknew.engine.travel.show import history

    answer(history(log, world, episode), lambda told: shown(told, memories=memories), json)


@app.command(epilog="Example: whoknew worlds")
def worlds(json: Json = False) -> None:
    """List the worlds that come with Whoknew."""
    from whoknew.engine.show.worlds import shown
    from whoknew.worlds import shelf

    answer(lambda: [shelf.find(name) for name in shelf.bundled()], shown, json)


@app.command(epilog="Example: whoknew new plan.toml --world harbour")
def new(
    plan: Annotated[Path, argument("PLAN")],
    world: Annotated[
        str, option("--world", "WORLD", "One of `whoknew worlds`.")
    ] = "midnight-diner",
    exam: Annotated[bool, flag("--exam", "One for `whoknew lifelong`.")] = False,
) -> None:
    """Write a commented plan to start from.

    PLAN is the file to write; one that is there is left alone.
    """
    from whoknew.engine.running.run import write_plan
    from whoknew.engine.show.report import written

    command = "lifelong" if exam else "run"
    answer(lambda: write_plan(plan, None if exam else world), lambda _: written(plan, command))


@app.command(epilog="Example: whoknew doctor plan.toml")
def doctor(
    plan: Annotated[str | None, argument("PLAN")] = None,
    log: Annotated[str | None, option("--log", "LOG", "Look at it, too.", VARIABLE)] = None,
    json: Json = False,
) -> None:
    """Look at what this machine has and lacks.

    With a PLAN, each of its models is asked for one word. It exits with 1 where something will
    fail.
    """
    from whoknew.engine.logs.doctor import examine
    from whoknew.engine.running import run as conduct
    from whoknew.engine.show.doctor import shown

    with reporting():
        loaded = conduct.load(plan, None, conduct.Options(log)) if plan else None
    found = answer(examine(loaded, log), shown, json)
    if any(one.state == "fault" for one in found):
        raise typer.Exit(1)
