"""`whoknew import lifestate`: the episodes and questions of LIFESTATE-BENCH."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Amend, Json, LogOption, QuestionsOption, alone, argument
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import lifestate hamlet.json")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    questions: QuestionsOption = None,
    amend: Amend = None,
    json: Json = False,
) -> None:
    """Bring the episodes of LIFESTATE-BENCH into a log, as one world.

    PATH is a JSON file, or a folder of them: episodes, role cards, questions.
    """
    work = import_worlds("lifestate", path, log, (), questions, amend)
    answer(work, brought, json, "importing")
