"""`whoknew log restore`: the names put back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from whoknew.engine.logs.anonymise import Anonymised
from whoknew.engine.logs.restore import put_back
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import File, Json, alone, argument
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew log restore nameless.jsonl key.json midnight-diner.jsonl")
def command(
    file: File,
    key: Annotated[Path, argument("KEY")],
    target: Annotated[Path, argument("TARGET")],
    json: Json = False,
) -> None:
    """Put the names back into what `log anonymise` wrote.

    TARGET is the file to write: byte for byte what `log export` would have written.
    """
    answer(put_back(file, key, target), restored, json, "putting the names back")


def restored(found: Anonymised) -> str:
    who = counted(found.spellings, "spelling")
    return f"{safe(found.file)}: {counted(found.events, 'event')}, {who} put back\n"
