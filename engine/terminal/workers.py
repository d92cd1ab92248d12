"""`whoknew workers`: a line for each process that plays a log, and one for all."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from whoknew.engine.running.workers import AtWork, workers
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import money, short
from whoknew.engine.terminal.options import Json, SharedLog, alone

app = alone()

LONGEST = 23
"""Of a name that stands in one line, so that all of it fits 80 columns."""


@app.command(epilog="Example: whoknew workers --log postgresql://lab@db.example.org/lives")
def command(log: SharedLog, json: Json = False) -> None:
    """Show the processes that play one log together: how fast, and what it costs."""
    answer(workers(log), shown, json)


HEADS = ("worker", "chains", "over", "turns", "/min", "calls", "tokens", "money", "failed")


def shown(found: Sequence[AtWork]) -> Group | Text:
    if not found:
        return Text("nobody plays it")
    plans: dict[str, list[AtWork]] = {}
    for one in found:
        plans.setdefault(f"{safe(one.plan)}, by Whoknew {safe(one.version)}", []).append(one)
    names = max(len(_name(one)) for one in found)
    parts: list[Text | Table] = []
    for plan, some in plans.items():
        parts += [Text(plan), _table(some, names), Text("")]
    return Group(*parts[:-1])


def _table(some: Sequence[AtWork], names: int) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in HEADS:
        if head == "worker":
            table.add_column(head, min_width=min(names, LONGEST), overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=True)
    for one in some:
        table.add_row(_name(one), *_row([one]))
    table.add_row(f"in all: {len(some)}", *_row(some), style="bold")
    return table


def _name(one: AtWork) -> str:
    return safe(one.name) + (" (paused)" if one.paused else "")


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
