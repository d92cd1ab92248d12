"""`whoknew bookmarks`: what a character asks itself, and how it answers that, at any moment."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.options import At, Json, LogOption, World, alone, on, option
from whoknew.engine.travel import bookmarks as keeping
from whoknew.engine.travel.bookmarks import BankShown, BookmarkShown
from whoknew.eventlog.counted import counted

MOST = 20
"""So many bookmarks are shown, the newest, where nobody says otherwise."""

app = alone()


@app.command(epilog="Example: whoknew bookmarks flatmates --who Petra --at E2 --log kept.db")
def command(
    world: World,
    who: Annotated[str, option("--who", "NAME", "Whose bookmarks.")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="Show N at most, the newest.")
    ] = MOST,
    json: Json = False,
) -> None:
    """Show the bookmarks of a character: its questions, and how it answers them at any moment."""

    def told(found: BankShown) -> Group | Text:
        return shown(found, most)

    answer(on(log, lambda opened: keeping.bookmarks(opened, world, who, at)), told, json)


def shown(found: BankShown, most: int) -> Group | Text:
    who, at = safe(found.character), f"#{found.cursor}"
    if not found.steps:
        return Text(
            f"{who} keeps no bookmarks up to {at}: its memory is another, or it had no turn"
        )
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for one in found.bookmarks[:most]:
        table.add_row(f"{'* ' if one.active else ''}{one.number}", one.kind, _said(one))
    head = Text(
        f"{who} at {at}: {counted(len(found.bookmarks), 'bookmark')} after "
        f"{counted(found.steps, 'step')}, up to line {found.at} of {found.lines}",
        "bold",
    )
    tail = Text(_saved(found), "dim")
    return Group(head, table, tail)


def _said(one: BookmarkShown) -> Text:
    said = Text(safe(one.question))
    said.append(f"\n{lined(one.answer)}", "" if one.rests_on else "dim")
    remarks = [f"up to line {one.synced}"]
    if one.rests_on:
        remarks.append(f"rests on {listed(one.rests_on)}")
    if one.derived_from:
        remarks.append(f"derived from {one.derived_from}")
    return said.append(f"\n({'; '.join(remarks)})", "dim")


def listed(seqs: tuple[int, ...], most: int = 8) -> str:
    first = ", ".join(f"#{seq}" for seq in seqs[:most])
    return f"{first} and {len(seqs) - most} more" if len(seqs) > most else first


def _saved(found: BankShown) -> str:
    told = f"{found.hits} of {counted(found.proposals, 'proposal')} were there already"
    if found.saved is None:
        return told
    return f"{told}; {found.saved:.0%} of what there was to read needed no reading again"
