"""`whoknew export prompts`: what models were asked and answered, as a file of prompts."""

from __future__ import annotations

from rich.text import Text

from whoknew.engine.logs.prompts import ExportedPrompts, export_prompts
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import File, Json, LogOption, World, alone
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew export prompts flatmates prompts.jsonl --log kept.db")
def command(world: World, file: File, log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """Write the prompts of a world, or of an exam, and what was answered to them.

    One JSON object a line, with prompt, response and model; cache:FILE is a model that answers so. Only
    prompts that were kept are there: keep_prompts = true in the plan.
    """
    answer(export_prompts(log, world, file), exported, json, "exporting the prompts")


def exported(found: ExportedPrompts) -> Text:
    kept = f"{counted(found.prompts, 'prompt')} of {safe(found.world)}"
    calls = f"; {counted(found.missing, 'call')} without: keep_prompts = true in a plan keeps them"
    missing = calls if found.missing else ""
    return Text(f"{safe(found.file)}: {kept}{missing}")
