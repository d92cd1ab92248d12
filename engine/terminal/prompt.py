"""`whoknew prompt`: what a model was given at a turn, and what it answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import money
from whoknew.engine.terminal.options import (
    Json,
    LogOption,
    World,
    alone,
    argument,
    on,
    option,
)
from whoknew.engine.terminal.plan_parts import PlanOption, load_parts
from whoknew.engine.terminal.transcript import line
from whoknew.engine.travel import prompt as prompting
from whoknew.engine.travel.prompt import Call, Prompted
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew prompt midnight-diner E2.T3 --log midnight-diner.db")
def command(
    world: World,
    at: Annotated[str, argument("CURSOR")],
    log: LogOption = DEFAULT_LOG,
    who: Annotated[str | None, option("--who", "NAME", "Only what NAME was asked.")] = None,
    plan: PlanOption = None,
    json: Json = False,
) -> None:
    """Show what a model was given at a turn, and what it answered.

    The prompt is made again from the log and checked against the digest of what was sent.
    """
    load_parts(plan, log, json=json)
    answer(on(log, lambda opened: prompting.prompts(opened, world, at, who)), shown, json)


def shown(found: Sequence[Prompted]) -> Group:
    return Group(*(part for one in found for part in _decision(one)))


def _decision(one: Prompted) -> Iterator[RenderableType]:
    by = f"  ({safe(one.model)}, memory {one.memory}, method {one.method})" if one.memory else ""
    where = f"E{one.episode}.T{one.turn} of {safe(one.world)}"
    yield Text(f"{safe(one.character)} at {where}, knowing what was at #{one.cursor}{by}", "bold")
    if one.why:
        yield Text(f"The prompt could not be made again: {safe(one.why)}", "yellow")
    for call in one.calls:
        yield from call_shown(call)
    if one.outcome is not None and (words := line(one.outcome)):
        yield Text(f"\nWhat came of it, at #{one.outcome.seq}", "bold cyan")
        yield Padding(words, (0, 0, 1, 2))


def call_shown(call: Call) -> Iterator[RenderableType]:
    """A call: its prompt, whether that is what was sent, and what was answered."""
    called = call.called
    yield Text(f"\nCall #{call.seq}, to {safe(called.purpose)}", "bold cyan")
    for message in call.messages:
        yield Rule(message.role, align="left", style="dim", characters="-")
        yield Text("\n".join(map(safe, message.text.split("\n"))))
    if called.left_out:
        yield Text(f"left out for want of room: {counted(called.left_out, 'token')}", "yellow")
    yield _checked(call)
    yield Rule("answered", align="left", style="dim", characters="-")
    if called.reply is None:
        yield Text(f"nothing: {safe(called.error or 'no reply')}", "red")
    else:
        yield Text("\n".join(map(safe, called.reply.split("\n"))))
    yield Text(", ".join(_figures(call)), "dim")


def _checked(call: Call) -> Text:
    if call.digest is None:
        return Text(f"the prompt is not on the log; its digest was {call.called.digest}", "yellow")
    if call.agrees:
        return Text(f"digest {call.digest}: to the byte what the model was given", "green")
    return Text(
        f"digest {call.digest}, but the model was given {call.called.digest}: a prompt, a memory or "
        "the plan is not what it was then",
        "red",
    )


def _figures(call: Call) -> Iterator[str]:
    called = call.called
    yield safe(called.model)
    for name, tokens in (("in", called.tokens_in), ("out", called.tokens_out)):
        yield f"{tokens:,} tokens {name}" if tokens is not None else f"tokens {name} unknown"
    yield money(called.money)
    if called.seconds is not None:
        yield f"{called.seconds:.2f} s"
    yield counted(called.attempts, "attempt")
    if called.ended != "stop":
        yield f"ended by {called.ended}"
    for name, value in called.parameters.items():
        if value is not None:
            yield f"{safe(name)} {value}"
