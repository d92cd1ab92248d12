"""`whoknew fork`: a what-if begins, and how to go on in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.plan.loading import code_on
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, safe, suggested
from whoknew.engine.terminal.options import Json, LogOption, World, alone, on, option
from whoknew.engine.terminal.usage import numbered, pairs
from whoknew.engine.travel import fork as forking
from whoknew.engine.travel.fork import Forked
from whoknew.eventlog import Log
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew fork midnight-diner --at E2.T1 --tell Vera 'Dorte cannot taste.' --log midnight-diner.db"
)
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: Annotated[
        str | None,
        option("--at", "CURSOR", "Up to where the two are the same. [default: end, or SEQ]"),
    ] = None,
    name: Annotated[str | None, option("--name", "WORLD", "What the new world is called.")] = None,
    tell: Annotated[
        list[str] | None,
        typer.Option("--tell", metavar="NAME TEXT", help="Something that NAME alone gets to know."),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", metavar="NAME TEXT", help="What NAME wants from now on."),
    ] = None,
    replace: Annotated[
        tuple[int, str] | None,
        typer.Option("--replace", metavar="SEQ TEXT", help="Give event SEQ other words."),
    ] = None,
    about: Annotated[
        list[int] | None,
        typer.Option(
            "--about",
            metavar="SEQ",
            help="With --replace: an earlier event that the new words tell of.",
        ),
    ] = None,
    heard: Annotated[
        list[str] | None,
        typer.Option("--heard", metavar="SEQ NAME", help="NAME heard event SEQ after all."),
    ] = None,
    unheard: Annotated[
        list[str] | None,
        typer.Option("--unheard", metavar="SEQ NAME", help="NAME did not hear event SEQ."),
    ] = None,
    json: Json = False,
) -> None:
    """Begin a what-if: a new world with another's past up to a cursor.

    `whoknew run --world` plays on in it, by the plan of its parent. With --replace, what came
    after SEQ, up to the cursor, stays as it was. So it does with --heard and --unheard in what was
    imported; where it was played, the fork ends at SEQ.
    """
    changes = forking.Changes(
        tell=pairs(tell),
        goal=pairs(goal),
        replace=replace,
        about=tuple(about or ()),
        heard=numbered("--heard", heard),
        unheard=numbered("--unheard", unheard),
    )
    code: list[str] = []

    async def begin(opened: Log) -> Forked:
        found = await forking.fork(opened, world, at, name=name, changes=changes)
        code.extend(await code_on(opened, found.world))
        return found

    answer(on(log, begin, write=True), lambda found: forked(found, log, code), json)


def forked(found: Forked, log: str, code: Sequence[str] = ()) -> TextLines:
    """What was begun. Where its plan names code beside a plan, no log has that loaded: the plan file
    has to be given."""
    told = Text.assemble(
        (safe(found.world), "bold"),
        f" begins as {safe(found.parent)} up to #{found.shared}",
        f", with {counted(found.given, 'event')} of its own" if found.given else "",
    )
    going_on: tuple[Text, ...]
    if code:
        going_on = (
            Text(
                f"It was played with code beside a plan ({safe(', '.join(code))}): to go on in it,"
            ),
            Text(f'set name = "{safe(found.world)}" in that plan, and give it:'),
            suggested(command_text("run", "PLAN", log=log)),
            Text("See what is otherwise:", "dim"),
        )
    else:
        going_on = (
            Text("Go on in it, or see what is otherwise:", "dim"),
            suggested(command_text("run", world=found.world, log=log)),
        )
    return TextLines(
        (
            *laid_out(told),
            *going_on,
            suggested(command_text("diff", found.world, log=log)),
        )
    )
