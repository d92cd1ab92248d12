"""`whoknew import play`: stage plays, each scene an episode."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Amend, Json, LogOption, alone, argument
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import play the-lamp-room")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    amend: Amend = None,
    json: Json = False,
) -> None:
    """Bring stage plays in Jon Bosak's markup into a log.

    PATH is a file, a folder of them, or `the-lamp-room`, which comes with Whoknew. Each scene becomes
    an episode; who hears what follows from the stage directions.
    """
    answer(import_worlds("play", path, log, amend=amend), brought, json, "importing")
