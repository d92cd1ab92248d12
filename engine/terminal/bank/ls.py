"""`whoknew bank ls`: the banks that come with Whoknew."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, alone
from whoknew.worlds import shelf
from whoknew.worlds.bank import Bank

app = alone()


@app.command(epilog="Example: whoknew bank ls")
def command(json: Json = False) -> None:
    """List the banks that come with Whoknew."""
    answer(lambda: [shelf.find_bank(name) for name in shelf.bundled_banks()], banks, json)


def banks(found: Sequence[Bank]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("bank", overflow="fold")
    for head in ("scenarios", "dividing", "hard"):
        table.add_column(head, justify="right")
    table.add_column("about")
    for one in found:
        counts = (
            len(one.sketches),
            sum(bool(sketch.pool) for sketch in one.sketches),
            sum(sketch.hard for sketch in one.sketches),
        )
        table.add_row(safe(one.name), *map(str, counts), safe(one.about))
    return table
