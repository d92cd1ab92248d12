"""`whoknew workers`: a line for each process that plays a log, and one for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from rich.table import Table
from rich.text import Text

from whoknew.engine.running.workers import AtWork, workers
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import money, short
from whoknew.engine.terminal.options import VARIABLE, Json, alone, option

app = alone()


@app.command(epilog="Example: whoknew workers --log postgresql://lab@db.example.org/lives")
def command(
    log: Annotated[str, option("--log", "LOG", "A log on PostgreSQL.", VARIABLE)],
    json: Json = False,
) -> None:
    """Show the processes that play one log together: how fast, and what it costs."""
    answer(workers(log), shown, json)


HEADS = ("worker", "plan", "version", "min", "chains", "over", "turns", "turns/min", "calls")


def shown(found: Sequence[AtWork]) -> Table | Text:
    if not found:
        return Text("nobody plays it")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in (*HEADS, "tokens", "money", "failed"):
        left = head in ("worker", "plan", "version")
        table.add_column(head, justify="left" if left else "right", overflow="fold")
    for one in found:
        table.add_row(
            safe(one.name) + (" (paused)" if one.paused else ""),
            safe(one.plan),
            safe(one.version),
            f"{one.minutes:g}",
            *_row([one]),
        )
    table.add_row(f"in all: {len(found)}", "", "", "", *_row(found), style="bold")
    return table


def _row(some: Sequence[AtWork]) -> list[str]:
    known = [one.money for one in some if one.money is not None]
    return [
        str(sum(one.chains for one in some)),
        str(sum(one.finished for one in some)),
        str(sum(one.turns for one in some)),
        f"{sum(one.turns_per_minute for one in some):.0f}",
        str(sum(one.calls for one in some)),
        short(sum(one.tokens for one in some)),
        money(sum(known)) if len(known) == len(some) else "unknown",
        str(sum(one.failed for one in some)),
    ]
