"""`whoknew import clonemem`: traces of lives, and CloneMem's items on them."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Amend, Json, LogOption, QuestionsOption, alone, argument
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import clonemem ruth.json")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    questions: QuestionsOption = None,
    amend: Amend = None,
    json: Json = False,
) -> None:
    """Bring the traces of lives into a log, with CloneMem's items on them.

    PATH is a JSON file of items, or a folder of them: beside ruth.json stand its traces, ruth.traces.json.
    """
    work = import_worlds("clonemem", path, log, (), questions, amend)
    answer(work, brought, json, "importing")
