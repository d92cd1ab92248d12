"""`whoknew log rows`: the events of a log as rows of a table, for whoever looks after it."""

from __future__ import annotations

import csv
import sys
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from whoknew.engine.logs.csv_cell import harmless
from whoknew.engine.logs.rows import FoundRows, found_rows
from whoknew.engine.terminal.answer import reporting, say
from whoknew.engine.terminal.console import lined
from whoknew.engine.terminal.options import Json, Log, alone, flag, option
from whoknew.eventlog.counted import counted

app = alone()

USUAL = ("world", "seq", "actor", "kind", "text")
"""What of a row fits on a terminal."""

OF_JSON = ("witnesses", "about", "body")


@app.command(
    epilog="Example: whoknew log rows midnight-diner.db --where \"text LIKE '%soup%'\" --limit 5"
)
def command(
    log: Log,
    where: Annotated[
        str | None, option("--where", "SQL", "Only the events for which this holds.")
    ] = None,
    columns: Annotated[
        str | None, option("--columns", "NAMES", "These columns, with commas between.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, metavar="N", help="N events at most; 0 is all.")
    ] = 20,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    as_csv: Annotated[bool, flag("--csv", "Answer in CSV.")] = False,
    json: Json = False,
) -> None:
    """Show the events of a log as rows of a table.

    All of them as they stand on the log, machinery included. The columns: position, world, seq, at,
    recorded, episode, turn, actor, kind, place, text, witnesses, about, cause, body, hash. CSV and
    JSON have all, unless --columns says which.
    """
    if as_csv and json:
        raise typer.BadParameter("give --csv or --json", param_hint="--csv")
    chosen = [name.strip() for name in columns.split(",")] if columns else []
    if not (chosen or as_csv or json):
        chosen = list(USUAL)
    with (
        reporting(),
        found_rows(log, where=where, columns=chosen, limit=limit or None, skip=skip) as found,
    ):
        if as_csv:
            write_csv(found)
        else:
            say(listed(found) if json else shown(found), json=json)


def write_csv(found: FoundRows) -> None:
    """Row by row, however many; that there are more is said on stderr."""
    writer = _writer()
    writer.writerow(found.columns)
    count = 0
    for row in found.rows:
        writer.writerow(
            value if name in OF_JSON else harmless(value) for name, value in row.items()
        )
        count += 1
    if found.skipped + count < found.total:
        typer.echo(extent(found, count), err=True)


def listed(found: FoundRows) -> dict[str, Any]:
    return {
        "total": found.total,
        "skipped": found.skipped,
        "rows": [_decoded(row) for row in found.rows],
    }


def shown(found: FoundRows) -> Group:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in found.columns:
        number = column in ("position", "seq", "episode", "turn", "cause")
        table.add_column(
            column,
            justify="right" if number else "left",
            no_wrap=number,
            overflow="fold",
        )
    for row in found.rows:
        cells = ("" if value is None else lined(str(value)) for value in row.values())
        table.add_row(*map(Text, cells))
    head = Text(extent(found, table.row_count), "dim")
    return Group(head, table) if table.row_count else Group(head)


def extent(found: FoundRows, count: int) -> str:
    """How many rows there are, and which of them are here."""
    rows = counted(found.total, "row")
    if count == found.total:
        return rows
    if not count:
        return f"{rows}: none past the first {found.skipped:,}"
    last = found.skipped + count
    more = f": go on with --skip {last}, or --limit 0 for all" if last < found.total else ""
    return f"{found.skipped + 1:,}-{last:,} of {rows}{more}"


def _decoded(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: msgspec.json.decode(value) if name in OF_JSON and value else value
        for name, value in row.items()
    }


def _writer() -> Any:
    return csv.writer(sys.stdout, lineterminator="\n")
