"""`whoknew import longmemeval`: LongMemEval's sessions."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Amend, Json, LogOption, QuestionsOption, alone, argument
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import longmemeval longmemeval_s.json")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    questions: QuestionsOption = None,
    amend: Amend = None,
    json: Json = False,
) -> None:
    """Bring LongMemEval's sessions into a log: a world for each question."""
    work = import_worlds("longmemeval", path, log, (), questions, amend)
    answer(work, brought, json, "importing")
