"""What came to be known to a character, as `whoknew knows --new` shows it: each speech that told it of
something, with what that was, then what it witnessed."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import paged
from whoknew.engine.terminal.matrix import STYLES, mark, moment, sign, words
from whoknew.engine.travel.learnt import Learnt, LearntRow
from whoknew.engine.travel.spread import was_found
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted


def learnt(found: Learnt) -> Group:
    return Group(*_parts(found))


def _parts(found: Learnt) -> Iterator[RenderableType]:
    facts = found.facts
    yield Text(f"{safe(facts.title)}  ({safe(facts.world)} at #{found.cursor})", "bold")
    yield Text(f"What {safe(found.character)} came to know in {safe(found.new)}")
    events = (
        f"{counted(found.total, 'event')} (told of {found.told:,}, witnessed {found.witnessed:,})"
    )
    yield Text(paged(events, found), "dim")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    speech = None
    for row in found.rows:
        if row.speech and row.speech != speech:
            table.add_row(
                *_place(row.speech), Text(sign("told"), STYLES["told"]), words(row.speech)
            )
        speech = row.speech
        if row.speech:
            table.add_row("", "", "", _so_known(row))
        else:
            table.add_row(*_place(row.event), _sign(row), words(row.event, row.mark))
    yield Text()
    yield table


def _place(event: Event) -> tuple[str, str]:
    return f"#{event.seq}", moment(event)


def _sign(row: LearntRow) -> Text:
    return Text(mark(row.known), STYLES[row.known.answer])


def _so_known(row: LearntRow) -> Text:
    """What the speech above told of."""
    where = " ".join(_place(row.event)).rstrip()
    how = f" ({row.known.how})" if was_found(row.known) else ""
    return Text.assemble((f"so knows of {where}{how}: ", "yellow"), words(row.event, row.mark))
