"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.logs.copies import Copied
from whoknew.engine.logs.export import write_export
from whoknew.engine.logs.export_by_world import WorldsExported, write_exports
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import sized
from whoknew.engine.terminal.log.copies import told_copy
from whoknew.engine.terminal.options import Anyway, File, Json, Log, OneWorld, alone, flag
from whoknew.eventlog.counted import counted

app = alone()

ByWorld = Annotated[
    bool,
    flag("--by-world", "FILE is a folder: a file for each world, written by several processes."),
]


@app.command(epilog="Example: whoknew log export midnight-diner.db midnight-diner.jsonl.gz")
def command(
    log: Log,
    file: File,
    world: OneWorld = None,
    by_world: ByWorld = False,
    anyway: Anyway = False,
    json: Json = False,
) -> None:
    """Write a log as JSON lines, with its hashes.

    FILE is gzipped if its name ends in .gz. A fork is written with the past that it shares.
    All is checked first.
    """
    if by_world:
        if world or anyway:
            raise typer.BadParameter("--by-world takes all that is sound: give it alone")
        answer(write_exports(log, file), exported_worlds, json, "exporting the log by world")
        return
    work = write_export(log, file, world, anyway=anyway)
    if answer(work, exported, json, "exporting the log").lost:
        raise typer.Exit(1)


def exported(one: Copied) -> Text:
    return told_copy("exported", one)


def exported_worlds(one: WorldsExported) -> Text:
    before = f", {one.already:,} of them were there already" if one.already else ""
    return Text(
        f"exported {counted(one.events, 'event')} to {safe(one.folder)}: "
        f"{counted(one.worlds, 'world')}{before} ({sized(one.size)})"
    )
