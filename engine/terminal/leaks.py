"""What the commands share that look for leaks: which findings they show, and how often there are some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Protocol

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.figures import Paged, money, paged, short
from whoknew.engine.terminal.options import flag, option
from whoknew.engine.travel.audit import AuditRate
from whoknew.engine.travel.leak_reader import LeakForecast, LeakReading
from whoknew.eventlog.counted import counted

Sure = Annotated[
    float, typer.Option(min=0, max=1, metavar="P", help="Count only what is at least so sure.")
]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")]
Skip = Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")]
Reader = Annotated[
    str | None, option("--model", "MODEL", "Have this model read each finding: is it a leak?")
]
DryRun = Annotated[bool, flag("--dry-run", "With --model: say what that takes, and ask nothing.")]


def check_reader(model: str | None, *, dry_run: bool) -> None:
    if dry_run and model is None:
        raise typer.BadParameter("--dry-run goes with --model: without one nothing is asked")


def foreseen(found: LeakForecast) -> Text:
    """What it would take to have the findings read."""
    kept = f", {found.kept:,} of them were read before" if found.kept else ""
    most = f" (at most {found.most:,})" if found.most > found.calls else ""
    what = f"{counted(found.calls, 'call')}{most} of {safe(found.model)}"
    took = f"about {short(found.tokens)} tokens, {money(found.money)}"
    return Text(f"{counted(found.findings, 'finding')}{kept}: {what}, {took}")


def read_by(found: LeakReading | None, denied: int) -> Iterator[RenderableType]:
    """What came of having them read."""
    if found is None:
        return
    kept = f" ({found.kept:,} it had read before)" if found.kept else ""
    read = len(found.verdicts) - found.verdicts.count(None)
    none = f"{denied:,} of them {'is none' if denied == 1 else 'are none'}"
    yield Text(f"{safe(found.model)} read {counted(read, 'finding')}{kept}: {none}", "dim")
    if found.failed:
        count = "counts" if found.failed == 1 else "count"
        why = f"; the last, as {safe(found.why or '')}"
        unread = counted(found.failed, "finding")
        yield Text(f"{unread} could not be read, and {count}{why}", "yellow")
    if found.error:
        yield Text(f"then it failed: {safe(found.error)}", "red")


def said_of(row: ReadRow) -> Iterator[RenderableType]:
    """What the model said of one."""
    if row.confirmed is not None:
        told = "a leak" if row.confirmed else "no leak"
        yield Text(f"  the model: {told}; {lined(row.reason)}", "red" if row.confirmed else "green")


class ReadRow(Protocol):
    """A finding that a model may have read."""

    @property
    def confirmed(self) -> bool | None: ...
    @property
    def reason(self) -> str: ...


def leaking(leaks: int, noun: str, speaker: str) -> Text:
    """How many of what was looked at are leaks."""
    told = f"{counted(leaks, noun)} of what {speaker} could not know"
    return Text(told, "red" if leaks else "green")


def findings(found: Paged) -> Iterator[RenderableType]:
    """Which of all findings were shown."""
    if found.total:
        yield Text(f"\n{paged(counted(found.total, 'finding'), found)}", "dim")


def rates(
    title: str, noun: str, rates: Sequence[AuditRate], *, news: bool = False
) -> Iterator[RenderableType]:
    """How often each of a kind had one, by name; and `news`, where there can be some."""
    if not rates:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    columns = ["leaks", "news"] if news else ["leaks"]
    table.add_row(Text(title, "bold cyan"), f"{noun}s", *columns, "rate")
    for rate in rates:
        counts = [rate.lines, rate.leaks, *([rate.news] if news else [])]
        share = f"{rate.leaks / rate.lines:.1%}"
        cells = (f"{count:,}" for count in counts)
        table.add_row(safe(rate.name), *cells, share, style=arm_style(rate.name))
    yield Text()
    yield table
