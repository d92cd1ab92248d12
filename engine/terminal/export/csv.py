"""`whoknew export csv`: a world as a table in a file."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.csv import ExportedRows, export_csv
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import At, File, Json, LogOption, World, alone, option
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew export csv midnight-diner vera.csv --as Vera --log midnight-diner.db"
)
def command(
    world: World,
    file: File,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    who: Annotated[str | None, option("--as", "NAME", "Only what NAME perceived.")] = None,
    json: Json = False,
) -> None:
    """Write a world's events as a table in CSV.

    With --as, what one character had perceived, and nothing that tells how much it had not.
    """
    answer(export_csv(log, world, file, at, who), exported, json, "exporting the world")


def exported(found: ExportedRows) -> str:
    who = f" as {safe(found.character)} perceived it" if found.character else ""
    what = f"{counted(found.events, 'event')} of {safe(found.world)}{who}, up to #{found.cursor}"
    return f"{safe(found.file)}: {what}\n"
