"""`whoknew log verify`: whether a log is what was written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.errors import BadHead
from whoknew.engine.logs.head import kept
from whoknew.engine.logs.verify import Checked, check
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, Log, OneWorld, alone, option
from whoknew.eventlog import Fault
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew log verify midnight-diner.db --heads heads.txt")
def command(
    log: Log,
    world: OneWorld = None,
    head: Annotated[
        list[str] | None,
        option("--head", "HEAD", "A head that was kept, as `log head` printed it."),
    ] = None,
    heads: Annotated[
        Path | None, option("--heads", "FILE", "A file of such heads; - is stdin.")
    ] = None,
    json: Json = False,
) -> None:
    """Check that every event is what was written.

    Heads that were kept elsewhere (`log head`) are looked for in it, too. It exits with 1 if
    something is wrong. A fork is checked with the past that it shares.
    """
    with reporting():
        try:
            there = kept(head or (), heads)
        except BadHead as error:
            raise typer.BadParameter(
                str(error), param_hint="--heads" if heads else "--head"
            ) from None
    found = answer(check(log, world, there), checked, json, "checking the log")
    if found.faults:
        raise typer.Exit(1)


def checked(found: Checked) -> Text:
    parts = [f"{counted(found.events, 'event')} of {counted(len(found.heads), 'world')} checked"]
    if found.unchecked:
        parts.append(f"{found.unchecked:,} behind a fault not checked")
    if found.kept:
        parts.append(f"{found.standing} of {found.kept} kept heads found in it")
    faults = [_fault(fault) for fault in found.faults]
    verdict = counted(len(faults), "fault") if faults else "as they were written"
    style = "bold red" if faults else "green"
    return Text("\n").join([*faults, Text(f"{', '.join(parts)}: {verdict}", style=style)])


def _fault(fault: Fault) -> Text:
    return Text(safe(str(fault)), style="red")
