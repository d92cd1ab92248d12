"""`whoknew log backup`: a log copied into a new file."""

from __future__ import annotations

import typer
from rich.text import Text

from whoknew.engine.logs.backup import write_backup
from whoknew.engine.logs.copies import Copied
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.log.copies import told_copy
from whoknew.engine.terminal.options import Anyway, File, Json, Log, alone

app = alone()


@app.command(epilog="Example: whoknew log backup midnight-diner.db copy.db")
def command(log: Log, file: File, anyway: Anyway = False, json: Json = False) -> None:
    """Copy a log into a new SQLite file.

    Others may write to it meanwhile. All is checked first.
    """
    work = write_backup(log, file, anyway=anyway)
    if answer(work, backed_up, json, "backing up the log").lost:
        raise typer.Exit(1)


def backed_up(one: Copied) -> Text:
    return told_copy("backed up", one)
