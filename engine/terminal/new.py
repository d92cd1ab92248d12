"""`whoknew new`: a plan to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from whoknew.engine.command_text import command_text
from whoknew.engine.plan.new import write_plan
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import alone, argument, flag, option

app = alone()


@app.command(epilog="Example: whoknew new plan.toml --world harbour")
def command(
    plan: Annotated[Path, argument("PLAN")],
    world: Annotated[
        str, option("--world", "WORLD", "What it plays: one of `whoknew worlds`.")
    ] = "midnight-diner",
    exam: Annotated[bool, flag("--exam", "Write a plan for `whoknew lifelong`.")] = False,
) -> None:
    """Write a commented plan to start from.

    PLAN is the file to write; a file that is there is never written over.
    """
    command = "lifelong" if exam else "run"
    answer(lambda: write_plan(plan, None if exam else world), lambda _: written(plan, command))


def written(plan: Path, command: str = "run") -> str:
    """A plan is there to start from: what to do with it."""
    forecast = command_text(command, str(plan), **{"dry-run": True})
    return f"wrote {safe(str(plan))}: look through it, then `{safe(forecast)}`\n"
