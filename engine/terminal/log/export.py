"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

import typer
from rich.text import Text

from whoknew.engine.logs.copies import Copied
from whoknew.engine.logs.export import write_export
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.log.copies import told_copy
from whoknew.engine.terminal.options import Anyway, File, Json, Log, OneWorld, alone

app = alone()


@app.command(epilog="Example: whoknew log export midnight-diner.db midnight-diner.jsonl.gz")
def command(
    log: Log, file: File, world: OneWorld = None, anyway: Anyway = False, json: Json = False
) -> None:
    """Write a log as JSON lines, with its hashes.

    FILE is gzipped if its name ends in .gz. A fork is written with the past that it shares.
    All is checked first.
    """
    work = write_export(log, file, world, anyway=anyway)
    if answer(work, exported, json, "exporting the log").lost:
        raise typer.Exit(1)


def exported(one: Copied) -> Text:
    return told_copy("exported", one)
