"""`whoknew ls`: a line a world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.logs.ls import Listed, roster
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, out, safe
from whoknew.engine.terminal.figures import money, short
from whoknew.engine.terminal.options import Json, LogOption, alone
from whoknew.eventlog.shown_address import without_password

app = alone()


@app.command(epilog="Example: whoknew ls --log midnight-diner.db")
def command(log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """List the worlds of a log: how each stands, what it cost."""
    answer(roster(log), lambda found: shown(found, log), json)


STYLES = {
    "running": "green",
    "suspended": "yellow",
    "finished": "",
    "imported": "dim",
    "fork": "dim",
    "exam": "",
}


HEADS = (
    "world",
    "state",
    "episodes",
    "turns",
    "calls",
    "tokens",
    "money",
    "failed",
    "last event",
)


LEFT = ("world", "state", "last event")


LEAST = ("calls", "turns", "last event")
"""The columns that a narrow screen does without, one after another, so that names stand whole: they can
be asked for in JSON. No other table leaves any out: rich folds their cells."""


def shown(worlds: Sequence[Listed], log: str) -> Text | TextLines:
    if not worlds:
        begin = command_text("run", "PLAN", log=log)
        name = without_password(log)
        return Text(f"{safe(name)} holds no world yet: `{safe(begin)}` begins one")
    whole = [_cells(one) for one in worlds]
    heads, rows = [*HEADS], whole
    for least in LEAST:
        if _width(heads, rows) <= out().width:
            break
        rows = [[*row[: heads.index(least)], *row[heads.index(least) + 1 :]] for row in rows]
        heads.remove(least)
    if _width(heads, rows) > out().width:
        return _below(whole)
    left = [head for head in HEADS if head not in heads]
    return TextLines([*_laid_out(heads, rows), *_left_out(left)])


def _left_out(heads: Sequence[str]) -> Iterator[Text]:
    if heads:
        yield from laid_out(
            Text(f"not shown here: {', '.join(heads)} (in a wider window, or with --json)", "dim")
        )


def _laid_out(heads: Sequence[str], rows: Sequence[Sequence[Text]]) -> Iterator[Text]:
    """A table, a line a row: there may be very many, and rich's own takes a millisecond for each."""
    named = [Text(head, "bold") for head in heads]
    widths = _widths(heads, rows)
    for row in (named, *rows):
        line = Text(no_wrap=True)
        for head, cell, width in zip(heads, row, widths, strict=True):
            room = " " * (width - cell_len(cell.plain))
            if head not in LEFT:
                line.append(room)
            line.append_text(cell).append("  " if head not in LEFT else f"{room}  ")
        line.rstrip()
        yield line


def _below(rows: Sequence[Sequence[Text]]) -> TextLines:
    """Where no table fits: each name whole, on a line of its own, and its figures below it."""
    lines: list[Text] = []
    for name, state, *figures in rows:
        told = [
            figure if head == "money" else Text.assemble(figure, f" {head}")
            for head, figure in zip(HEADS[2:-1], figures, strict=False)
        ]
        lines += [name, *laid_out(Text(", ").join([state, *told]))]
    return TextLines(lines)


def _cells(one: Listed) -> list[Text]:
    episodes = f"{one.closed}/{one.opened if one.planned is None else one.planned}"
    if one.cells is not None:
        episodes = f"{one.cells:,} cells"
    return [
        Text(safe(one.name), "bold"),
        Text(one.state, style=STYLES[one.state]),
        Text(episodes),
        Text(short(one.turns)),
        Text(short(one.calls)),
        Text(short(one.tokens)),
        Text(money(one.money)),
        Text(short(one.failures), style="red" if one.failures else "dim"),
        Text(f"{one.last:%m-%d %H:%M}" if one.last else ""),
    ]


def _width(heads: Sequence[str], rows: Sequence[Sequence[Text]]) -> int:
    """How wide a table is in which nothing is folded."""
    return sum(2 + width for width in _widths(heads, rows)) - 2


def _widths(heads: Sequence[str], rows: Sequence[Sequence[Text]]) -> list[int]:
    columns = zip(heads, *rows, strict=True)
    return [max(cell_len(str(cell)) for cell in column) for column in columns]
