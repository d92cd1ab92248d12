"""`whoknew doctor`: a line a finding, and under it what to do."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from whoknew.engine.logs.doctor import Finding
from whoknew.engine.show.console import safe

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
