"""`whoknew doctor`: a line a finding, and under it what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from whoknew.engine.logs.doctor import examine
from whoknew.engine.logs.findings import Finding
from whoknew.engine.plan import loading
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.options import VARIABLE, Json, alone, argument, flag, option

app = alone()


@app.command(epilog="Example: whoknew doctor plan.toml")
def command(
    plan: Annotated[str | None, argument("PLAN")] = None,
    log: Annotated[str | None, option("--log", "LOG", "Look at it, too.", VARIABLE)] = None,
    cluster: Annotated[
        bool, flag("--cluster", "Look at what many machines need to play it together.")
    ] = False,
    json: Json = False,
) -> None:
    """Check whether this machine has what Whoknew needs.

    With a PLAN, each of its models is asked for one word. With --cluster, given on each machine, it
    compares them: versions, clocks, Ray's token. It exits with 1 if something will fail.
    """
    with reporting(), set_aside(json):
        loaded = (
            loading.load(plan, None, loading.Options(log, announce=say_loading)) if plan else None
        )
    found = answer(examine(loaded, log, cluster=cluster), shown, json)
    if any(one.state == "fault" for one in found):
        raise typer.Exit(1)


SIGNS = {"fine": ("ok", "green"), "note": ("--", "dim"), "fault": ("!!", "bold red")}


def shown(findings: Sequence[Finding]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold", ratio=1)
    for one in findings:
        text = Text(safe(one.found))
        if one.do:
            text.append(f"\n{safe(one.do)}", style="cyan" if one.state == "fault" else "dim")
        table.add_row(Text(*SIGNS[one.state]), safe(one.what), text)
    return table
