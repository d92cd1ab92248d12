"""`whoknew log head`: each world's newest seq and hash."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.logs import head as logs
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, Log, OneWorld, alone
from whoknew.eventlog import Head

app = alone()


@app.command(epilog="Example: whoknew log head midnight-diner.db > heads.txt")
def command(log: Log, world: OneWorld = None, json: Json = False) -> None:
    """Print each world's newest seq and hash, to keep elsewhere."""
    answer(logs.heads(log, world), heads, json)


def heads(found: Sequence[Head]) -> str:
    """A line each, to be kept elsewhere as it is: never wrapped."""
    return "".join(f"{safe(str(head))}\n" for head in found)
