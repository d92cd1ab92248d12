"""`whoknew stop`: what was stopped, and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import file_of
from whoknew.engine.playing.control import Flight
from whoknew.engine.running import stop as running
from whoknew.engine.running.stop import Running
from whoknew.engine.running.workers import AtWork, stop_workers
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import err, safe
from whoknew.engine.terminal.options import (
    VARIABLE,
    Json,
    OrWorld,
    alone,
    check_either,
    flag,
    option,
)
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew stop midnight-diner")
def command(
    world: OrWorld = None,
    log: Annotated[str | None, option("--log", "LOG", "Only runs into it.", VARIABLE)] = None,
    every: Annotated[bool, flag("--all", "Stop all your runs on this machine.")] = False,
    now: Annotated[bool, flag("--now", "Do not wait for the calls in flight: drop them.")] = False,
    json: Json = False,
) -> None:
    """Stop a run; it can go on later.

    WORLD is a world that it plays, or the name of its plan. It finishes the turns in flight first;
    with --now it drops the calls that it waits for, and notes that on the log. With a --log on
    PostgreSQL all processes that play it stop, wherever they are; WORLD can be the name of one.
    """
    check_either(world, every=every)
    if log is not None and file_of(log) is None and not now:
        answer(stop_workers(world, log, waiting=still), ended, json)
        return
    answer(lambda: running.stop(world, log, now=now, waiting=waiting), stopped, json)


SOME = 8


def stopped(runs: Sequence[Running]) -> Text:
    return Text("\n").join(map(_one, runs))


def still(names: Sequence[str]) -> None:
    err().print(f"{safe(', '.join(names))}: the turns in flight are finished", soft_wrap=True)


def ended(found: Sequence[AtWork]) -> Text:
    return Text(
        "\n".join(f"stopped {safe(one.name)}, which played {safe(one.plan)}" for one in found)
    )


def _one(one: Running) -> Text:
    more = f" and {len(one.worlds) - SOME} more" if len(one.worlds) > SOME else ""
    names = ", ".join(map(safe, one.worlds[:SOME])) + more
    again = f"; to go on, as it was begun: {safe(one.command)}" if one.command else ""
    return Text(f"stopped {names} (process {one.pid}){again}")


def waiting(one: Running, flights: Sequence[Flight]) -> None:
    """Say on stderr what a run that is to stop waits for."""
    calls = [_flight(flight) for flight in sorted(flights, key=lambda flight: flight.since)]
    more = [f"and {counted(len(calls) - SOME, 'more call')}"] if len(calls) > SOME else []
    what = "; ".join([*calls[:SOME], *more]) or "its turns in flight"
    drop = safe(command_text("stop", one.worlds[0], now=True))
    err().print(f"process {one.pid} waits for {what} (to drop that: {drop})", soft_wrap=True)


def _flight(flight: Flight) -> str:
    seconds = (datetime.now(UTC) - flight.since).total_seconds()
    who = safe(flight.who) or "a judge"
    return f"{safe(flight.model)} to answer {who} in {safe(flight.world)} ({seconds:.0f} s so far)"
