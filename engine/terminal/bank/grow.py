"""`whoknew bank grow`: more scenarios, written by a model."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.exams.bank import grow as growing
from whoknew.engine.exams.bank.grow import GrowResult
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import File, Json, alone, argument, option
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew bank grow friend more.toml --model openai:gpt-5")
def command(
    bank: Annotated[str, argument("BANK")],
    file: File,
    model: Annotated[str, option("--model", "MODEL", "The model that writes them.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many.")] = 5,
    inspiration: Annotated[
        str | None, option("--inspiration", "TEXT", "A line for the model to begin from.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Decides which scenarios the model is shown.")
    ] = 1,
    json: Json = False,
) -> None:
    """Have a model write more scenarios like those of BANK, into FILE.

    Each is checked: two different goals, something to disagree on, no copy of another. FILE also
    says which model wrote it, what that was shown, and what inspired it.
    """
    work = growing.grow(bank, file, model, count, inspiration, seed)
    found = answer(work, grown, json, "writing")
    if found.error or not found.sketches:
        raise typer.Exit(1)


def grown(found: GrowResult) -> Text:
    lines = [
        (
            f"{counted(len(found.sketches), 'new scenario')} in {safe(found.file)}, after "
            f"{counted(found.calls, 'call')}"
        )
    ]
    lines += [f"  {safe(one.name)}: {safe(one.over)}" for one in found.sketches]
    if found.refused:
        lines.append(f"{len(found.refused)} not taken; the last because {safe(found.refused[-1])}")
    if found.error:
        lines.append(f"It stopped: {safe(found.error)}")
    if found.sketches:
        lines.append(f"To play them: bank = {safe(found.file)!r} in the plan of an exam of lives")
    return Text("\n".join(lines))
