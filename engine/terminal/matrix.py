"""Who knows what: a sign and a word in every cell, so that it can be read without colour."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from whoknew.engine.terminal.around import around
from whoknew.engine.terminal.console import out, safe, unicode_is_safe
from whoknew.engine.terminal.transcript import line
from whoknew.engine.terminal.witnesses import in_places
from whoknew.engine.travel.knows import KnowsRow
from whoknew.eventlog import Event, Known

SIGNS = {"present": "●", "told": "◐", "absent": "○", "future": "·"}
ASCII_SIGNS = {"present": "*", "told": "+", "absent": "-", "future": "."}
OPEN = "?"
"""Whether somebody witnessed it is left open."""
FALSE = "!"
"""Somebody was told of it otherwise than it was."""
LETTERS = 160
"""So many letters of an event (so also of a world's title, a place's description) are shown in a list or
a table, as much as it takes to know it again: a longer text is cut."""

GAP = 2
"""Columns between two columns of the matrix."""

WORDS = 30
"""Columns that the words of an event take at least: narrower, nobody reads them."""

STYLES = {"present": "green", "told": "yellow", "absent": "dim", "future": "dim"}


def over_time(moments: Sequence[str], rows: Sequence[Sequence[Known]]) -> Table:
    """One event: a row for each character, a column for each moment."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("", style="bold", no_wrap=True)
    for moment in moments:
        table.add_column(safe(moment), overflow="fold")
    for column in zip(*rows, strict=True):
        table.add_row(safe(column[0].character), *map(cell, column))
    return table


def has_room(rows: Sequence[KnowsRow], letters: Mapping[str, str]) -> bool:
    """Whether there are people, and a column for each leaves room for the words of the events."""
    if not letters:
        return False
    before = max(len(f"#{row.event.seq}") + len(moment(row.event)) for row in rows)
    signs = in_places(letters, lambda name: (" ", "")).cell_len
    return out().width - before - signs - 3 * GAP >= WORDS


def by_event(rows: Sequence[KnowsRow], letters: Mapping[str, str], about: Collection[str]) -> Table:
    """Events in rows, beside the signs of all people, each in a column of its own."""
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("", "", in_places(letters, lambda name: (letters[name], "bold")), "")
    for row in rows:
        table.add_row(*_place(row), _signs(row, letters), words(row.event, row.mark, about))
    return table


def by_event_below(
    rows: Sequence[KnowsRow], letters: Mapping[str, str], about: Collection[str]
) -> Table:
    """Events in rows, each with those who know of it below its words, sign by sign."""
    table = _grid()
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(
            *_place(row), Text("\n").join([words(row.event, row.mark, about), _known(row, letters)])
        )
    return table


def _grid() -> Table:
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    return table


def _place(row: KnowsRow) -> tuple[str, str]:
    return f"#{row.event.seq}", moment(row.event)


def _signs(row: KnowsRow, letters: Mapping[str, str]) -> Text:
    cells = {cell.character: cell for cell in row.cells}
    return in_places(letters, lambda name: (mark(cells[name]), STYLES[cells[name].answer]))


def _known(row: KnowsRow, letters: Mapping[str, str]) -> Text:
    signs: dict[str, Text] = {}
    for cell in row.cells:
        shown = mark(cell)
        if cell.character in letters and shown != sign("absent"):
            text = signs.setdefault(shown, Text(shown, style=STYLES[cell.answer]))
            text.append(f" {letters[cell.character]}")
    return Text("  ").join(signs.values()) if signs else Text(f"{mark(row.cells[0])} nobody", "dim")


def cell(known: Known) -> Text:
    by = f" by {safe(known.by)}" if known.by else ""
    doubt = f", if so: {safe(known.doubt)}" if known.doubt else ""
    said = known.otherwise
    false = f", told otherwise at #{said.at}: {safe(said.text)}" if said else ""
    answer = f"{mark(known)} {known.answer}{by}{_how(known)}{doubt}{false}"
    return Text(answer, style=STYLES[known.answer])


def mark(known: Known) -> str:
    """The sign of a cell: its own where it is open whether the character was there to hear it, and
    nobody has told it since; or where it was told only what is not so."""
    if known.otherwise and known.answer == "absent":
        return FALSE
    return OPEN if known.doubt and known.answer in ("present", "absent") else sign(known.answer)


def sign(answer: str) -> str:
    return (SIGNS if unicode_is_safe() else ASCII_SIGNS)[answer]


def moment(event: Event) -> str:
    """The episode and turn of an event."""
    return f"E{event.episode}.T{event.turn}" if event.episode else ""


def words(event: Event, name: str = "", about: Collection[str] = ()) -> Text:
    """An event in a line, after the name of the secret that it is. Of one without words its kind; of a
    long one that part which is `about` these terms."""
    found = line(event) or Text(safe(event.text or str(event.body.__struct_config__.tag)))
    flat = Text(" ").join(around(found, about, LETTERS).split("\n"))
    return Text.assemble((f"{safe(name)}: ", "bold cyan"), flat) if name else flat


def chain(tellings: Sequence[Known]) -> Text:
    """From a character back to a witness, teller by teller."""
    arrow = " ← " if unicode_is_safe() else " <- "
    text = Text(safe(tellings[0].character), style="bold")
    for known in tellings:
        text.append(arrow, style="dim").append(_step(known), style=STYLES[known.answer])
    return text


def _how(known: Known) -> str:
    """How it is known that somebody was told, where no event declares it."""
    return f" ({known.how})" if known.origin and known.origin != "declared" else ""


def _step(known: Known) -> str:
    match known.answer:
        case "told":
            return f"told by {safe(known.by or 'a page')} at #{known.at}{_how(known)}"
        case "present":
            return f"present at #{known.event}"
        case answer:
            return f"{answer}: could not know of #{known.event}"
