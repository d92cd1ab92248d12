"""`whoknew log import`: an export read into a log."""

from __future__ import annotations

from rich.text import Text

from whoknew.engine.logs.importing import read_export
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import File, Json, Log, alone
from whoknew.eventlog.archive import ImportResult
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew log import new.db midnight-diner.jsonl.gz")
def command(log: Log, file: File, json: Json = False) -> None:
    """Read an export into a log.

    Where there is no log yet, one begins. All of FILE is checked before anything is written; of a
    folder each file in turn.
    """
    answer(read_export(log, file), imported, json, "importing into the log")


def imported(one: ImportResult) -> Text:
    already = f", {one.already:,} were there already" if one.already else ""
    return Text(f"imported {counted(one.events, 'event')}{already}")
