"""`whoknew audit`: which lines hold what whoever spoke them could not know."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.leaks import (
    DryRun,
    Limit,
    Reader,
    Skip,
    Sure,
    check_reader,
    findings,
    foreseen,
    leaking,
    rates,
    read_by,
    said_of,
)
from whoknew.engine.terminal.options import At, Json, LogOption, World, alone, on
from whoknew.engine.terminal.transcript import line
from whoknew.engine.travel.audit import AuditReport, AuditRow, audit, forecast_audit
from whoknew.engine.travel.knows import LIMIT
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted
from whoknew.eventlog.knowledge import SURE

app = alone()


@app.command(epilog="Example: whoknew audit midnight-diner --log midnight-diner.db")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    sure: Sure = SURE,
    limit: Limit = LIMIT,
    skip: Skip = 0,
    model: Reader = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Find lines that hold what their speaker could not know.

    By rule, in all that was said, done, thought, written and answered; with --model, a model reads
    what the rule found. It exits with 1 where there are some. News from off the stage, in a play that
    was brought in, is told apart.
    """
    check_reader(model, dry_run=dry_run)
    if model and dry_run:
        foreseeing = on(log, lambda opened: forecast_audit(opened, world, model, at, sure=sure))
        answer(foreseeing, foreseen, json)
        return
    work = on(
        log,
        lambda opened: audit(opened, world, at, sure=sure, limit=limit, skip=skip, model=model),
        write=bool(model),
    )
    found = answer(work, lambda found: shown(found, log), json)
    if found.leaks or (found.reading and found.reading.error):
        raise typer.Exit(1)


def shown(found: AuditReport, log: str = DEFAULT_LOG) -> Group:
    return Group(*_parts(found, log))


def _parts(found: AuditReport, log: str) -> Iterator[RenderableType]:
    answers = f", {counted(found.answers, 'answer')} among them" if found.answers else ""
    yield Text(
        f"{safe(found.world)} at #{found.upto}: {counted(found.lines, 'line')}{answers}", "bold"
    )
    yield leaking(found.leaks, "line", "whoever spoke")
    yield from read_by(found.reading, found.denied)
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
    yield from findings(found)
    some = [rate for rate in found.characters if rate.leaks or rate.news]
    yield from rates("character", "line", some, news=True)
    yield from rates("model", "line", found.models, news=True)
    yield from rates("memory", "line", found.memories, news=True)


def _row(row: AuditRow) -> Iterator[RenderableType]:
    what = "comes later" if row.later else "news from off the stage" if row.news else "unseen"
    head = f"#{row.line.seq}  {safe(row.who)}, {what}, {row.score:.2f}"
    by = ", ".join(map(safe, filter(None, (row.model, row.memory))))
    style = "dim" if row.news or row.denied else "bold red"
    yield Text.assemble((head, style), (f"  {by}" if by else "", "dim"))
    yield Padding(_event(row.line), (0, 0, 0, 2))
    yield Padding(Text.assemble(("as  ", "dim"), _event(row.fact)), (0, 0, 0, 2))
    yield Padding(Text(lined(row.why), "dim"), (0, 0, 0, 2))
    yield from said_of(row)


def _event(event: Event) -> Text:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)
