"""`whoknew ask`: what a character answers, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.ask import Asked
from whoknew.engine.asking.probe import probe
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.playing.judge import Verdict
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import lined, safe
from whoknew.engine.terminal.figures import money, voted
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
from whoknew.engine.terminal.plan_parts import PlanOption, load_parts
from whoknew.engine.terminal.transcript import line
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted
from whoknew.eventlog.kinds import Called

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
    model: Annotated[str, option("--model", "MODEL", "Who answers, as in a plan.")] = OFFLINE,
    memory: Annotated[
        str, option("--memory", "MEMORY", "What it remembers by, as in a plan.")
    ] = "entire",
    method: Annotated[
        str, option("--method", "METHOD", "How it is asked, as in a plan.")
    ] = "plain",
    reference: Annotated[
        str | None, option("--reference", "TEXT", "An answer that is known to be right.")
    ] = None,
    judge: Annotated[
        list[str] | None, option("--judge", "JUDGE", "Who judges the answer; several may.")
    ] = None,
    judge_model: Annotated[
        str, option("--judge-model", "MODEL", "The model that judges ask.")
    ] = OFFLINE,
    unsaved: Annotated[bool, flag("--no-save", "Do not keep it on the log.")] = False,
    plan: PlanOption = None,
    json: Json = False,
) -> None:
    """Ask a character something at any moment of its life.

    It answers from its own view alone. Shown are the events that the answer rests on, and how many
    it could not see. With a reference, the answer is judged: by its words, or as --judge says.
    Question, answer and verdicts are kept on the log, witnessed by nobody.
    """
    load_parts(plan, log, json=json)
    work = probe(
        log,
        world,
        name,
        question,
        at,
        model,
        memory,
        method,
        reference=reference,
        judges=judge or (),
        judge_model=judge_model,
        save=not unsaved,
    )
    found = answer(work, asked, json)
    if found.answer is None or any(one.scores is None for one in found.verdicts.values()):
        raise typer.Exit(1)


def asked(found: Asked) -> Group:
    return Group(*_asked(found))


def _asked(found: Asked) -> Iterator[RenderableType]:
    yield Text(f"{safe(found.character)} at #{found.cursor} of {safe(found.world)}", "bold")
    if found.answer is None:
        yield Text(f"gave no answer: {safe(found.error or '')}", "red")
    else:
        yield Text(f"{lined(found.answer)}{voted(found.share)}")
    yield Text()
    if found.rests_on:
        yield Text("It rests on", "bold cyan")
        yield from map(_rests_on, found.rests_on)
    elif found.answer is not None:
        yield Text("The answer names no event that it rests on.", "dim")
    for name, verdict in found.verdicts.items():
        yield _judged(name, verdict)
    yield Text(
        f"Read: {counted(found.read, 'event')}. Not allowed to see: {found.unseen:,} that it did "
        f"not witness, {found.later:,} that come later.",
        "dim",
    )
    yield Text(
        f"{safe(found.model)}, memory {found.memory}, method {found.method}: {_cost(found.calls)}",
        "dim",
    )
    if found.judging:
        yield Text(f"{safe(found.judging[0].model)}, judging: {_cost(found.judging)}", "dim")
    if found.probe is not None:
        yield Text(f"Kept as #{found.probe}, witnessed by nobody.", "dim")
    if found.unkept:
        yield Text(f"Not kept: {safe(found.unkept)}", "yellow")


def _judged(name: str, verdict: Verdict) -> Text:
    """What a judge says, as the log tells it, with its reasons."""
    if verdict.scores is None:
        return Text(f"{safe(name)} gave no verdict: {safe(verdict.reason)}", "red")
    scores = ", ".join(f"{safe(one)} {score:.3g}" for one, score in verdict.scores.items())
    return Text.assemble((f"{safe(name)}: {scores}", "bold"), f"\n{lined(verdict.reason)}")


def _cost(calls: Sequence[Called]) -> str:
    tokens = sum((one.tokens_in or 0) + (one.tokens_out or 0) for one in calls)
    prices = [one.money for one in calls]
    cost = None if None in prices else sum(one for one in prices if one is not None)
    return f"{counted(len(calls), 'call')}, {tokens:,} tokens, {money(cost)}"


def _rests_on(event: Event) -> RenderableType:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)
