"""`whoknew audit`: which lines hold what whoever spoke them could not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.figures import counted, paged
from whoknew.engine.terminal.options import At, Json, LogOption, World, alone, on
from whoknew.engine.terminal.transcript import line
from whoknew.engine.travel.audit import LIMIT, AuditRate, AuditReport, AuditRow, audit
from whoknew.eventlog import Event
from whoknew.eventlog.knowledge import SURE

app = alone()


@app.command(epilog="Example: whoknew audit midnight-diner --log midnight-diner.db")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    sure: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Count only what is at least so sure.")
    ] = SURE,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")] = LIMIT,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    json: Json = False,
) -> None:
    """Find lines that hold what their speaker could not know.

    By rule, in all that was said, done, thought, written and answered. It exits with 1 where there
    are some. News from off the stage, in a play that was brought in, is told apart.
    """
    work = on(log, lambda opened: audit(opened, world, at, sure=sure, limit=limit, skip=skip))
    found = answer(work, lambda found: shown(found, log), json)
    if found.leaks:
        raise typer.Exit(1)


def shown(found: AuditReport, log: str = DEFAULT_LOG) -> Group:
    return Group(*_parts(found, log))


def _parts(found: AuditReport, log: str) -> Iterator[RenderableType]:
    answers = f", {counted(found.answers, 'answer')} among them" if found.answers else ""
    yield Text(
        f"{safe(found.world)} at #{found.upto}: {counted(found.lines, 'line')}{answers}", "bold"
    )
    leaks = f"{counted(found.leaks, 'line')} of what whoever spoke could not know"
    yield Text(leaks, "red" if found.leaks else "green")
    if found.news:
        yield Text(f"{counted(found.news, 'line')} with news from off the stage", "dim")
    if found.refused:
        yield Text(
            f"{counted(found.refused, 'line')} more, which a guard refused: nobody heard", "dim"
        )
    if not found.looked:
        look = command_text("tellings", found.world, log=log)
        yield Text(
            f"Tellings were not looked for: what was told in passing counts as unknown. {look}"
        )
    for row in found.rows:
        yield Text()
        yield from _row(row)
    if found.total:
        yield Text(f"\n{paged(counted(found.total, 'finding'), found)}", "dim")
    for title, rates in (
        ("character", found.characters),
        ("model", found.models),
        ("memory", found.memories),
    ):
        yield from _rates(title, rates)


def _row(row: AuditRow) -> Iterator[RenderableType]:
    what = "comes later" if row.later else "news from off the stage" if row.news else "unseen"
    head = f"#{row.line.seq}  {safe(row.who)}, {what}, {row.score:.2f}"
    by = ", ".join(map(safe, filter(None, (row.model, row.memory))))
    yield Text.assemble((head, "dim" if row.news else "bold red"), (f"  {by}" if by else "", "dim"))
    yield Padding(_event(row.line), (0, 0, 0, 2))
    yield Padding(Text.assemble(("as  ", "dim"), _event(row.fact)), (0, 0, 0, 2))
    yield Padding(Text(lined(row.why), "dim"), (0, 0, 0, 2))


def _event(event: Event) -> Text:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)


def _rates(title: str, rates: Sequence[AuditRate]) -> Iterator[RenderableType]:
    """Those with findings; of models and memories all."""
    some = [rate for rate in rates if title != "character" or rate.leaks or rate.news]
    if not some:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(Text(title, "bold cyan"), "lines", "leaks", "news", "rate")
    for rate in some:
        share = f"{rate.leaks / rate.lines:.1%}"
        table.add_row(
            safe(rate.name), f"{rate.lines:,}", f"{rate.leaks:,}", f"{rate.news:,}", share
        )
    yield Text()
    yield table
