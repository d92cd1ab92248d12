"""`whoknew log anonymise`: a log without a name in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from whoknew.engine.logs.anonymise import Anonymised
from whoknew.engine.logs.anonymise import anonymise as write
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import File, Json, Log, OneWorld, alone, argument
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew log anonymise midnight-diner.db nameless.jsonl key.json")
def command(
    log: Log,
    file: File,
    key: Annotated[Path, argument("KEY")],
    world: OneWorld = None,
    json: Json = False,
) -> None:
    """Write a log as JSON lines without a name in it.

    Each person gets an alias such as Person7, in every text. KEY is the file that turns them back:
    keep it apart. `log import` reads FILE as any other.
    """
    answer(write(log, file, key, world), anonymised, json, "taking out the names")


def anonymised(found: Anonymised) -> str:
    people = "1 person" if found.people == 1 else f"{found.people} people"
    who = f"{people} in {counted(found.spellings, 'spelling')}"
    return (
        f"{safe(found.file)}: {counted(found.events, 'event')}, {who} taken out\n"
        f"{safe(found.key)}: the key that puts them back; keep it apart\n"
    )
