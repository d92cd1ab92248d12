"""`whoknew run`: play a plan; what came of it, and how to go on."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.plan import loading
from whoknew.engine.plan.plan import Scope
from whoknew.engine.running import forecast
from whoknew.engine.running import run as running
from whoknew.engine.running.forecast import Forecast, ModelForecast
from whoknew.engine.running.run_report import ChainResult, RunReport
from whoknew.engine.terminal import progress
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import safe, whole
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.figures import failed, money, short, spent
from whoknew.engine.terminal.options import (
    VARIABLE,
    ClusterOption,
    Json,
    WorkersOption,
    alone,
    argument,
    flag,
    option,
)
from whoknew.engine.terminal.seat import console
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew run plan.toml --dry-run")
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
        int | None,
        typer.Option(
            "--chains", min=1, metavar="N", help="Play it N times, each in a world of its own."
        ),
    ] = None,
    dry: Annotated[
        bool, flag("--dry-run", "Play nothing: say what would be played, and its cost.")
    ] = False,
    trace: Annotated[
        Path | None, option("--trace", "FILE", "Write warnings there, as JSON lines.")
    ] = None,
    world: Annotated[
        str | None, option("--world", "WORLD", "Go on with this world of the log, by its own plan.")
    ] = None,
    cluster: ClusterOption = None,
    workers: WorkersOption = 2,
    json: Json = False,
) -> None:
    """Play a plan, or go on with it.

    PLAN is a file, or one of the worlds that `whoknew worlds` lists: the offline model then plays
    it into WORLD.db. To play on in a fork, give --world.

    The first Ctrl-C lets the turns in flight finish; a second one stops at once. Either way, the same
    command goes on later, and nothing that was answered is lost.
    """
    if (plan is None) == (world is None):
        raise typer.BadParameter("give a PLAN or --world: one of the two")
    with reporting(trace), set_aside(json):
        variable = VARIABLE if log and log == os.environ.get(VARIABLE) else ""
        options = loading.Options(log, chains, offline, say_loading, variable)
        loaded = loading.load(plan, world, options)
        person = console(json=json) if loading.has_person(loaded) and not dry else None
    if dry:
        answer(forecast.forecast(loading.program_of(loaded)), foreseen, json)
        return
    watching = progress.beside_a_person if person else progress.watching
    program = loading.program_of(loaded)
    if cluster is not None:
        from whoknew.engine.running.cluster import run_on_cluster

        work = run_on_cluster(program, cluster, workers, progress.watching)
    else:
        work = running.run_program(program, loaded.source, watching, person)
    report = answer(work, lambda one: shown(one, running.command_line()), json, trace=trace)
    if report.code:
        raise typer.Exit(report.code)


SOME = 20
"""So many chains of a kind are told of by name: a screen of them."""


def shown(report: RunReport, command: str) -> Text:
    return Text("\n").join(_lines(report, command))


def foreseen(found: Forecast) -> Text:
    """What would be played, and what it may cost."""
    parts = [f"{found.over} done already", f"{found.begun} to go on with", f"{found.new} to begin"]
    left = f"{found.episodes_left} of {counted(found.episodes, 'episode')} left"
    lines = [
        f"{counted(found.worlds, 'chain')} into {safe(found.log)}: {', '.join(parts)}",
        f"{left}, {counted(found.turns_left, 'turn')} at most",
        *(
            [f"{counted(found.reviews, 'review')} of episodes that are over"]
            if found.reviews
            else []
        ),
        *map(_expected, found.models),
        *([_tried(found)] if found.episodes_left or found.reviews else []),
        "Nothing was played: --dry-run.",
    ]
    return Text("\n".join(lines))


def _tried(found: Forecast) -> str:
    """What was rehearsed of what is left, and what was not."""
    rest = "what servers and people do, is not covered"
    if not found.rehearsed:
        return f"Nothing of it was rehearsed: how parts fare, and {rest}."
    later = f"how parts fare beyond that, and {rest}"
    if not found.episodes_left:
        tried = counted(found.rehearsed, "episode")
        return f"Rehearsed offline, to see what judges are shown: {tried}; {later}."
    left = counted(found.episodes_left, "episode")
    return f"Rehearsed offline: {found.rehearsed} of the {left} left; {later}."


def _expected(one: ModelForecast) -> str:
    tokens = "unknown" if one.tokens is None else f"about {short(one.tokens)}"
    return (
        f"  {safe(one.model)}  {counted(one.calls, 'call')} at most, about {one.expected:,}, "
        f"tokens {tokens}, money {money(one.money)} ({_ground(one)})"
    )


def _ground(one: ModelForecast) -> str:
    """What a forecast rests on."""
    if one.tokens is None:
        return "this log has no such calls yet to go by"
    if one.rehearsed:
        calls = counted(one.known_by, "prompt")
        return f"estimated from {calls} of an offline rehearsal, whose replies are short"
    return f"estimated from {counted(one.known_by, 'call')} on this log"


STYLES = {"finished": "green", "suspended": "yellow", "refused": "red", "failed": "red"}


def _lines(report: RunReport, command: str) -> Iterator[Text]:
    for state, style in STYLES.items():
        some = [one for one in report.chains if one.state == state]
        if some:
            yield Text(f"{counted(len(some), 'chain')} {state}", style=style)
            yield from (Text(f"  {_chain(one, report.reason)}") for one in some[:SOME])
            if len(some) > SOME:
                yield Text(
                    f"  ... and {len(some) - SOME} more: {safe(command_text('ls', log=report.log))}"
                )
    if len(report.chains) > 1:
        yield Text(f"in all: {counted(len(report.chains), 'chain')}, {_total(report.chains)}")
    yield from (Text(one, style="yellow") for one in _at_limits(report.chains))
    if lost := sum(one.unanswered for one in report.chains):
        most = sum(one.unanswered_money for one in report.chains)
        yield Text(
            f"{counted(lost, 'call')} more may have been paid for, {money(most)} at most: started by a "
            "process that died or lost its chain, or still under way",
            style="yellow",
        )
    if report.failing:
        yield Text(f"Too much failed: {safe(report.failing)}", style="red")
    if report.reason:
        yield Text(f"It stopped: {safe(report.reason)}", style="yellow")
    if report.goes_on:
        yield whole(f"To go on: {safe(command)}")
    elif over := [one.world for one in report.chains if one.state == "finished"]:
        seeing = command_text("show", over[0], log=report.log)
        yield whole(f"To see it: {safe(seeing)}")


def _at_limits(chains: Sequence[ChainResult]) -> Iterator[str]:
    """Which limits were reached at which a story goes on."""
    reached = sum((Counter(one.at_limits) for one in chains), Counter[Scope]())
    if count := reached["episode"]:
        yield f"limits.episode was reached: {counted(count, 'episode')} ended at it"
    if count := reached["character"]:
        yield f"limits.character was reached: {counted(count, 'turn')} passed over"


def _chain(one: ChainResult, known: str | None) -> str:
    """A chain in figures, and why it ended where that is not `known` of all."""
    why = f": {safe(one.reason)}" if one.reason and one.reason != known else ""
    return f"{safe(one.world)}  {_total([one])}{why}"


def _total(chains: Sequence[ChainResult]) -> str:
    """What chains came to together. A price that is not known is not shown as nothing."""
    fails = sum((Counter(one.failed) for one in chains), Counter[str]())
    parts = [
        counted(sum(one.episodes for one in chains), "episode"),
        counted(sum(one.turns for one in chains), "turn"),
        counted(sum(one.calls for one in chains), "call"),
        f"{short(sum(one.tokens for one in chains))} tokens",
        spent(
            sum(one.priced_money for one in chains),
            unknown=any(one.money is None for one in chains),
        ),
        failed(fails),
    ]
    return ", ".join(part for part in parts if part)
