"""`whoknew ask`: what a character answers, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.ask import Asked
from whoknew.engine.asking.probe import probe
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.figures import counted, money
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    Name,
    World,
    alone,
    argument,
    flag,
    option,
)
from whoknew.engine.terminal.transcript import line
from whoknew.eventlog import Event

app = alone()


@app.command(
    epilog="Example: whoknew ask midnight-diner Vera 'Who cannot taste?' --log midnight-diner.db"
)
def command(
    world: World,
    name: Name,
    question: Annotated[str, argument("QUESTION")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    model: Annotated[str, option("--model", "MODEL", "As in a plan.")] = OFFLINE,
    memory: Annotated[str, option("--memory", "MEMORY", "As in a plan.")] = "entire",
    method: Annotated[str, option("--method", "METHOD", "As in a plan.")] = "plain",
    unsaved: Annotated[bool, flag("--no-save", "Do not keep it on the log.")] = False,
    json: Json = False,
) -> None:
    """Ask a character something at any moment of its life.

    It answers from its view alone. Shown are what that rests on, and how much it could not see.
    Question and answer are kept on the log, witnessed by nobody.
    """
    work = probe(log, world, name, question, at, model, memory, method, save=not unsaved)
    found = answer(work, asked, json)
    if found.answer is None:
        raise typer.Exit(1)


def asked(found: Asked) -> Group:
    return Group(*_asked(found))


def _asked(found: Asked) -> Iterator[RenderableType]:
    yield Text(f"{safe(found.character)} at #{found.cursor} of {safe(found.world)}", "bold")
    if found.answer is None:
        yield Text(f"gave no answer: {safe(found.error or '')}", "red")
    else:
        yield Text(lined(found.answer))
    yield Text()
    if found.rests_on:
        yield Text("It rests on", "bold cyan")
        yield from map(_rests_on, found.rests_on)
    elif found.answer is not None:
        yield Text("It rests on nothing that it names.", "dim")
    yield Text(
        f"Read: {counted(found.read, 'event')}. Not allowed to see: {found.unseen:,} that others "
        f"witnessed, {found.later:,} that come later.",
        "dim",
    )
    tokens = sum((one.tokens_in or 0) + (one.tokens_out or 0) for one in found.calls)
    prices = [one.money for one in found.calls]
    cost = None if None in prices else sum(one for one in prices if one is not None)
    yield Text(
        f"{safe(found.model)}, memory {found.memory}, method {found.method}: "
        f"{counted(len(found.calls), 'call')}, {tokens:,} tokens, {money(cost)}",
        "dim",
    )
    if found.probe is not None:
        yield Text(f"Kept as #{found.probe}, witnessed by nobody.", "dim")
    if found.unkept:
        yield Text(f"Not kept: {safe(found.unkept)}", "yellow")


def _rests_on(event: Event) -> RenderableType:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)
