"""`whoknew knows`: events by characters, a sign in each cell, and how the knowledge came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import either, safe, whole
from whoknew.engine.terminal.figures import paged
from whoknew.engine.terminal.learnt import learnt
from whoknew.engine.terminal.matrix import (
    FALSE,
    OPEN,
    STYLES,
    by_event,
    by_event_below,
    chain,
    has_room,
    sign,
)
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    World,
    alone,
    flag,
    listed,
    on,
    option,
)
from whoknew.engine.terminal.witnesses import MANY, lettered, told_apart
from whoknew.engine.travel import knows as knowing
from whoknew.engine.travel import learnt as learning
from whoknew.engine.travel.knowers import KnownTo
from whoknew.engine.travel.knows import LIMIT, Matrix
from whoknew.engine.travel.spread_picture import draw
from whoknew.eventlog import Log
from whoknew.eventlog.counted import counted
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.words import terms

app = alone()


@app.command(
    epilog="Example: whoknew knows midnight-diner --about 'cannot taste' --trace --log midnight-diner.db"
)
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    about: Annotated[
        str | None,
        option(
            "--about", "TEXT", "Which events: words to search for, a seq, or seqs such as 12-20."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show N events at most.")] = LIMIT,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    who: Annotated[
        str, option("--who", "NAMES", "Only these characters, with commas between.")
    ] = "",
    new: Annotated[
        str | None,
        option(
            "--new", "SPAN", "What --who came to know in E4, E4.T5, #126 or #90-126, and from whom."
        ),
    ] = None,
    only: Annotated[
        str, option("--only", "NAMES", "Only events that these know of, and nobody else.")
    ] = "",
    unaware: Annotated[
        str, option("--not", "NAMES", "Only events that these do not know of, and others do.")
    ] = "",
    order: Annotated[
        KnownTo | None, option("--order", "BY", "Those first that `most` know of, or `fewest`.")
    ] = None,
    doubtful: Annotated[
        bool, flag("--doubtful", "Only events that somebody may not have witnessed, and why.")
    ] = False,
    trace: Annotated[bool, flag("--trace", "Also show who told whom.")] = False,
    sure: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Only tellings at least so sure.")
    ] = SURE,
    recorded_at: Annotated[
        str | None, option("--recorded-at", "CURSOR", "Knowledge as it was on record then.")
    ] = None,
    graph: Annotated[
        Path | None,
        option(
            "--graph", "FILE.svg", "Also draw who told whom of the one event that --about names."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show who knows of what at any moment: present, told, absent.

    Present: witnessed it. Told: heard of it later. Absent: neither. Without --about, --new, --only and
    --not, it shows the secrets that `whoknew mark --secret` marked.
    """
    names = listed(who)
    if new is not None:
        _check_new(names, others=(about, only, unaware, order, doubtful, trace, graph))
        news = partial(
            learning.learnt,
            world=world,
            character=names[0],
            new=new,
            at=at,
            limit=limit,
            skip=skip,
            sure=sure,
            recorded_at=recorded_at,
        )
        answer(on(log, news), learnt, json)
        return

    async def asked(opened: Log) -> Matrix:
        found = await knowing.knows(
            opened,
            world,
            at,
            about=about,
            who=names,
            only=listed(only),
            unaware=listed(unaware),
            doubtful=doubtful,
            limit=limit,
            skip=skip,
            order=order,
            sure=sure,
            recorded_at=recorded_at,
        )
        if graph is not None:
            await draw(opened, found, graph, recorded_at=recorded_at)
        return found

    answer(on(log, asked), lambda found: shown(found, log, trace=trace, graph=graph), json)


def _check_new(names: Sequence[str], others: Sequence[object]) -> None:
    """What one came to know is another table: of one character, and of all events."""
    if len(names) != 1:
        raise typer.BadParameter("--new is asked of one character: give --who NAME")
    if any(others):
        raise typer.BadParameter(
            "with --new go --who, --at, --limit, --skip, --sure and --recorded-at alone"
        )


def shown(
    found: Matrix, log: str = DEFAULT_LOG, *, trace: bool = False, graph: Path | None = None
) -> Group:
    parts = [*_parts(found, log, trace)]
    if graph is not None:
        parts.append(
            whole(f"\n{safe(str(graph))}: who told whom of #{found.rows[0].event.seq}", "dim")
        )
    return Group(*parts)


def _parts(found: Matrix, log: str, trace: bool) -> Iterator[RenderableType]:
    facts = found.facts
    yield Text(f"{safe(facts.title)}  ({safe(facts.world)} at #{found.cursor})", "bold")
    number = counted(found.total, "event") if found.total else "No events"
    which = Text(paged(f"{number}{_which(found)}", found), "dim")
    if not found.rows:
        yield which
        return
    columns = _columns(found)
    letters = lettered(columns, facts.characters)
    left_out = len(found.characters) - len(columns)
    more = "  ({} more know of none of it)" if columns else "(none of {} knows of any of it)"
    yield Text(told_apart(letters) + (more.format(left_out) if left_out else ""))
    yield Text.assemble(*_legend())
    wide = has_room(found.rows, letters)
    if not wide:
        yield Text("whoever is not named below an event is absent", "dim")
    if any(cell.doubt for row in found.rows for cell in row.cells):
        yield Text(f"{OPEN} the story leaves it open whether they heard it", "dim")
    if any(cell.otherwise for row in found.rows for cell in row.cells):
        yield Text(f"{FALSE} was told otherwise", "dim")
    yield which
    yield Text()
    table = by_event if wide else by_event_below
    yield table(found.rows, letters, {*terms(found.about)})
    if found.doubtful:
        yield from _doubts(found)
    if trace:
        yield from _traces(found, columns, log)
    yield from _false_reports(found)


def _columns(found: Matrix) -> list[str]:
    """Everybody asked about; of a crowd, those who know of any of it."""
    if len(found.characters) <= MANY:
        return list(found.characters)
    return list(found.knowing)


def _which(found: Matrix) -> str:
    """What the events were picked by, in words that follow their number."""
    chosen = len(found.characters) < len(found.facts.characters)
    if found.doubtful:
        who = f"whether {either(found.characters, 'or')}" if chosen else "who"
        return f" where it is left open {who} was a witness"
    if not found.only and not found.unaware:
        return ""
    those = found.only or found.unaware
    others = [name for name in found.characters if name not in those]
    if found.only:
        known = f" known to {either(those, 'and')}"
        return f"{known}, unknown to {either(others, 'and')}" if chosen else f"{known} alone"
    known = either(others, "or") if chosen else "others"
    return f" unknown to {either(those, 'and')}, known to {known}"


def _legend() -> Iterator[tuple[str, str]]:
    for known, style in STYLES.items():
        yield f"{sign(known)} {known}  ", style


def _doubts(found: Matrix) -> Iterator[Text]:
    """Each reason for a doubt, with those of whom it holds."""
    for row in found.rows:
        names: dict[str, list[str]] = {}
        for cell in row.cells:
            if cell.doubt:
                names.setdefault(cell.doubt, []).append(f"{safe(cell.character)} ({cell.answer})")
        for reason, those in names.items():
            text = f"{safe(reason)}: {', '.join(those)}"
            yield Text.assemble((f"#{row.event.seq}  ", "dim"), text)


def _nobody(found: Matrix, log: str) -> str:
    """Nobody is not said where tellings were not looked for."""
    elsewhere = f"these; of {counted(found.told, 'other event')} somebody was"
    which = elsewhere if found.told else "any of it"
    if found.looked:
        return f"Nobody was told of {which}."
    look = command_text("tellings", found.facts.world, log=log)
    return f"Nobody is declared to be told of {which}. Tellings were not looked for: {look}"


def _false_reports(found: Matrix) -> Iterator[Text]:
    """What was said of an event that is not so, to whom."""
    for row in found.rows:
        for cell in row.cells:
            if report := cell.otherwise:
                by = f" by {safe(report.by)}" if report.by else ""
                said = f"told otherwise{by} at #{report.at}: {safe(report.text)}"
                yield Text.assemble(
                    (f"#{row.event.seq}  ", "dim"), (safe(cell.character), "bold"), f" {said}"
                )


def _traces(found: Matrix, columns: Sequence[str], log: str) -> Iterator[Text]:
    there = [(row, one) for row in found.rows for one in row.chains if one[0].character in columns]
    if not there:
        yield Text(f"\n{_nobody(found, log)}", "dim")
        return
    yield Text("\nHow it came to those who were told", "bold cyan")
    for row, tellings in there:
        yield Text.assemble((f"#{row.event.seq}  ", "dim"), chain(tellings))
