"""`whoknew new`: a plan to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from whoknew.engine.command_text import command_text
from whoknew.engine.plan.new import write_plan
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import alone, argument, option

app = alone()


@app.command(epilog="Example: whoknew new plan.toml --world harbour")
def command(
    plan: Annotated[Path, argument("PLAN")],
    world: Annotated[
        str, option("--world", "WORLD", "What it plays: one of `whoknew worlds`.")
    ] = "midnight-diner",
) -> None:
    """Write a commented plan to start from.

    PLAN is the file to write; a file that is there is never written over. The plan of an exam is
    written by `whoknew exam new`.
    """
    answer(lambda: write_plan(plan, world), lambda _: written(plan))


def written(plan: Path) -> str:
    """A plan is there to start from: what to do with it."""
    forecast = command_text("run", str(plan), **{"dry-run": True})
    return f"wrote {safe(str(plan))}: look through it, then `{safe(forecast)}`\n"
