"""`whoknew import bigtom`: BigToM's stories."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Json, LogOption, QuestionsOption, alone, argument
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import bigtom bigtom.csv")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    questions: QuestionsOption = None,
    json: Json = False,
) -> None:
    """Bring BigToM's stories into a log: each becomes four worlds."""
    answer(import_worlds("bigtom", path, log, (), questions), brought, json, "importing")
