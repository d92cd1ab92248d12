"""`whoknew knows`: events by characters, a sign in each cell, and how the knowledge came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe, unicode_is_safe
from whoknew.engine.terminal.figures import counted
from whoknew.engine.terminal.matrix import STYLES, chain, sign
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    World,
    alone,
    flag,
    on,
    option,
)
from whoknew.engine.terminal.transcript import line
from whoknew.engine.terminal.witnesses import MANY, initials
from whoknew.engine.travel import knows as knowing
from whoknew.engine.travel.knows import KnowsRow, Matrix

app = alone()


@app.command(
    epilog="Example: whoknew knows midnight-diner --about 'cannot taste' --trace --log midnight-diner.db"
)
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    about: Annotated[str | None, option("--about", "TEXT", "Words, a seq, or 12-20.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="So many at most.")] = 20,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    who: Annotated[str, option("--who", "NAMES", "Only these, with commas between.")] = "",
    trace: Annotated[bool, flag("--trace", "Also how it came to those who were told.")] = False,
    json: Json = False,
) -> None:
    """Show who knows of what at any moment: present, told, absent.

    Without --about, of the secrets that were marked (`whoknew mark --secret`).
    """
    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = on(
        log,
        lambda opened: knowing.knows(
            opened, world, at, about=about, who=names, limit=limit, skip=skip
        ),
    )
    answer(work, lambda found: shown(found, trace=trace), json)


WORDS = 160
"""As much of an event as it takes to know it again."""


def shown(found: Matrix, *, trace: bool = False) -> Group:
    return Group(*_parts(found, trace))


def _parts(found: Matrix, trace: bool) -> Iterator[RenderableType]:
    facts = found.facts
    yield Text(f"{safe(facts.title)}  ({safe(facts.world)} at #{found.cursor})", "bold")
    columns = _columns(found)
    letters = initials(columns)
    left_out = len(found.characters) - len(columns)
    others = f"  ({left_out} more know of none of it)" if left_out else ""
    space = "\u00a0" if unicode_is_safe() else " "
    yield Text("  ".join(f"{letters[one]}{space}{safe(one)}" for one in columns) + others)
    yield Text.assemble(*_legend())
    yield Text(_count(found), "dim")
    yield Text()
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("", "", Text("".join(letters.values()), "bold"), "")
    for row in found.rows:
        table.add_row(f"#{row.event.seq}", _when(row), _signs(row, columns), _words(row))
    yield table
    if trace:
        yield from _traces(found, columns)


def _columns(found: Matrix) -> list[str]:
    """Everybody asked about; of a crowd, those who know of any of it."""
    if len(found.characters) <= MANY:
        return list(found.characters)
    return list(found.knowing)


def _count(found: Matrix) -> str:
    """How many events are meant, and which of them are shown."""
    events, shown = counted(found.total, "event"), len(found.rows)
    if shown == found.total:
        return events
    if not shown:
        return f"{events}: none past the first {found.skipped:,}"
    last = found.skipped + shown
    more = f": go on with --skip {last}" if last < found.total else ""
    return f"{found.skipped + 1:,}-{last:,} of {events}{more}"


def _legend() -> Iterator[tuple[str, str]]:
    for known, style in STYLES.items():
        yield f"{sign(known)} {known}  ", style


def _when(row: KnowsRow) -> str:
    event = row.event
    return f"E{event.episode}.T{event.turn}" if event.episode else ""


def _signs(row: KnowsRow, columns: Sequence[str]) -> Text:
    cells = {cell.character: cell for cell in row.cells}
    text = Text()
    for name in columns:
        answer = cells[name].answer
        text.append(sign(answer), STYLES[answer])
    return text


def _words(row: KnowsRow) -> Text:
    words = line(row.event) or Text(safe(row.event.text))
    words.truncate(WORDS, overflow="ellipsis")
    flat = Text(" ").join(words.split("\n"))
    if row.mark:
        return Text.assemble((f"{safe(row.mark)}: ", "bold cyan"), flat)
    return flat


def _traces(found: Matrix, columns: Sequence[str]) -> Iterator[Text]:
    there = [(row, one) for row in found.rows for one in row.chains if one[0].character in columns]
    if not there:
        elsewhere = f"these; of {counted(found.told, 'other event')} somebody was"
        yield Text(f"\nNobody was told of {elsewhere if found.told else 'any of it'}.", "dim")
        return
    yield Text("\nHow it came to those who were told", "bold cyan")
    for row, tellings in there:
        yield Text.assemble((f"#{row.event.seq}  ", "dim"), chain(tellings))
