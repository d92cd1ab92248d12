"""`whoknew rerun`: whether the same story comes of the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, World, alone, flag, on
from whoknew.engine.terminal.plan_parts import PlanOption, load_parts
from whoknew.engine.terminal.transcript import line
from whoknew.engine.travel import rerun as rerunning
from whoknew.engine.travel.rerun import Rerun
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew rerun midnight-diner --log midnight-diner.db")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    recorded: Annotated[
        bool, flag("--recorded/--no-recorded", "Take the answers that are on the log.")
    ] = True,
    plan: PlanOption = None,
    json: Json = False,
) -> None:
    """Play a world again, and say whether the same story comes of it.

    It is played in memory, with the answers that are on the log: no model is asked, nothing is
    written. It exits with 1 where the story differs.
    """
    if not recorded:
        raise typer.BadParameter("to ask the models anew, run its plan under another name")
    load_parts(plan, log, json=json)
    found = answer(on(log, lambda opened: rerunning.rerun(opened, world)), shown, json, "playing")
    if not found.agrees:
        raise typer.Exit(1)


def shown(found: Rerun) -> Group:
    return Group(*_lines(found))


def _lines(found: Rerun) -> Iterator[RenderableType]:
    played = f"{counted(found.events, 'event')} with {counted(found.calls, 'recorded call')}"
    given = f" after {counted(found.given, 'event')} that nobody played" if found.given else ""
    if found.agrees:
        yield Text(f"{safe(found.world)}: the same story, to the byte: {played}{given}", "green")
        return
    assert found.difference is not None
    was, now = found.difference.was, found.difference.now
    where = f"E{was.episode}.T{was.turn}" if was.episode else f"#{was.seq}"
    yield Text(f"{safe(found.world)}: another story from #{was.seq} ({where}) on: {played}", "red")
    yield Text("As it was", "bold cyan")
    yield Padding(_told(was), (0, 0, 0, 2))
    yield Text("As it comes out now", "bold cyan")
    yield Padding(_told(now) if now else Text("nothing"), (0, 0, 0, 2))
    if found.reason:
        yield Text(f"It could be played no further: {safe(found.reason)}", "yellow")


def _told(event: Event) -> Text:
    return line(event) or Text(f"{event.body.__struct_config__.tag}  {safe(event.text)}")
