"""`whoknew recall`: what a search of a character's own past finds."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    Name,
    World,
    alone,
    argument,
    on,
)
from whoknew.engine.travel import recall as recalling
from whoknew.engine.travel.recall import BEST, RecallResult
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew recall midnight-diner Vera 'the soup' --log midnight-diner.db"
)
def command(
    world: World,
    name: Name,
    words: Annotated[str, argument("WORDS")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Show N events at most.")] = BEST,
    json: Json = False,
) -> None:
    """Search what a character knows at any moment."""
    answer(
        on(log, lambda opened: recalling.recall(opened, world, name, words, at, k)), recalled, json
    )


def recalled(found: RecallResult) -> Group | Text:
    if not found.found:
        events = counted(found.events, "event")
        return Text(
            f"nothing that {safe(found.character)} knows at #{found.cursor} ({events}) matches "
            f"{safe(found.words)!r}"
        )
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(justify="right", style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for one in found.found:
        table.add_row(f"#{one.seq}", f"{one.score:.2f}", lined(one.text))
    head = f"{safe(found.character)} at #{found.cursor}, of {counted(found.events, 'event')}"
    return Group(Text(head, "bold"), table)
