"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

import typer
from rich.text import Text

from whoknew.engine.logs.copies import Copied
from whoknew.engine.logs.export import write_export
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import counted, sized
from whoknew.engine.terminal.options import Anyway, File, Json, Log, OneWorld, alone

app = alone()


@app.command(epilog="Example: whoknew log export midnight-diner.db midnight-diner.jsonl.gz")
def command(
    log: Log, file: File, world: OneWorld = None, anyway: Anyway = False, json: Json = False
) -> None:
    """Write a log as JSON lines, hash for hash.

    FILE is gzipped where its name ends in .gz. A world is written with the past that it shares.
    All is checked first.
    """

    work = write_export(log, file, world, anyway=anyway)
    if answer(work, exported, json, "exporting the log").lost:
        raise typer.Exit(1)


def exported(one: Copied) -> Text:
    return _copied("exported", one)


def _copied(what: str, one: Copied) -> Text:
    lost = [Text(f"lost: {safe(line)}", style="red") for line in one.lost]
    damaged = ": all that can be read, without what is listed as lost" if lost else ""
    told = Text(
        f"{what} {counted(one.events, 'event')} of {counted(len(one.worlds), 'world')} "
        f"to {safe(one.file)} ({sized(one.size)}){damaged}"
    )
    return Text("\n").join([*lost, told])
