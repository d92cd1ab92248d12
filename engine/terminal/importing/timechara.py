"""`whoknew import timechara`: TimeChara's instances."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.logs.exchange import import_worlds, settings_of
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import (
    ChaptersOption,
    ExamplesOption,
    Json,
    LogOption,
    QuestionsOption,
    alone,
    argument,
)
from whoknew.engine.terminal.remarks import brought

app = alone()


@app.command(epilog="Example: whoknew import timechara validation.json")
def command(
    path: Annotated[str, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    questions: QuestionsOption = None,
    text: ChaptersOption = None,
    examples: ExamplesOption = None,
    json: Json = False,
) -> None:
    """Bring TimeChara's instances into a log: each series becomes a world."""
    work = import_worlds(
        "timechara", path, log, settings_of(text=text, examples=examples), questions
    )
    answer(work, brought, json, "importing")
