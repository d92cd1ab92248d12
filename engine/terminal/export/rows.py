"""`whoknew export rows`: what a character lived through, to train a model on elsewhere."""

from __future__ import annotations

from whoknew.engine.logs.training_rows import ExportedTraining, export_rows
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import At, File, Json, LogOption, Name, World, alone
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew export rows midnight-diner Vera vera.jsonl --at E3 --log midnight-diner.db"
)
def command(
    world: World,
    name: Name,
    file: File,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    json: Json = False,
) -> None:
    """Write what a character lived through as rows to train a model on.

    A chat a line, in JSON: what is asked, and what is to be answered. Made of what NAME witnessed by
    then, and of nothing else.
    """
    answer(export_rows(log, world, name, file, at), exported, json, "exporting the rows")


def exported(found: ExportedTraining) -> str:
    what = f"{counted(found.rows, 'row')} of {counted(found.episodes, 'episode')}"
    whose = f"that {safe(found.character)} lived through, up to #{found.cursor}"
    return f"{safe(found.file)}: {what} {whose}\n"
