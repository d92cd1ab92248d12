"""`whoknew new`: a plan to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from whoknew.engine.plan.new import write_plan
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import alone, argument, flag, option

app = alone()


@app.command(epilog="Example: whoknew new plan.toml --world harbour")
def command(
    plan: Annotated[Path, argument("PLAN")],
    world: Annotated[
        str, option("--world", "WORLD", "One of `whoknew worlds`.")
    ] = "midnight-diner",
    exam: Annotated[bool, flag("--exam", "One for `whoknew lifelong`.")] = False,
) -> None:
    """Write a commented plan to start from.

    PLAN is the file to write; one that is there is left alone.
    """
    command = "lifelong" if exam else "run"
    answer(lambda: write_plan(plan, None if exam else world), lambda _: written(plan, command))


def written(plan: Path, command: str = "run") -> str:
    """A plan is there to start from: what to do with it."""
    name = shlex.quote(safe(str(plan)))
    return f"wrote {name}: look through it, then `whoknew {command} {name} --dry-run`\n"
