"""`whoknew fork`: a what-if begins, and how to go on in it."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, safe, suggested
from whoknew.engine.terminal.figures import counted
from whoknew.engine.terminal.options import Json, LogOption, World, alone, on, option
from whoknew.engine.terminal.usage import pairs
from whoknew.engine.travel import fork as forking
from whoknew.engine.travel.fork import Forked

app = alone()


@app.command(
    epilog="Example: whoknew fork midnight-diner --at E2.T1 --tell Vera 'Dorte cannot taste.' --log midnight-diner.db"
)
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: Annotated[str | None, option("--at", "CURSOR", "As far as it is the same.")] = None,
    name: Annotated[str | None, option("--name", "WORLD", "What the new world is called.")] = None,
    tell: Annotated[
        list[str] | None,
        typer.Option("--tell", metavar="NAME TEXT", help="NAME alone gets to know of it."),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", metavar="NAME TEXT", help="What NAME wants from now on."),
    ] = None,
    replace: Annotated[
        tuple[int, str] | None,
        typer.Option("--replace", metavar="SEQ TEXT", help="Another wording of that event."),
    ] = None,
    about: Annotated[
        list[int] | None,
        typer.Option("--about", metavar="SEQ", help="An event that the new wording tells of."),
    ] = None,
    json: Json = False,
) -> None:
    """Begin a what-if: a world that is another's up to a cursor.

    `whoknew run --world` goes on in it, by the plan of its parent. With --replace all that came
    after SEQ, up to the cursor, stays as it was.
    """
    changes = forking.Changes(pairs(tell), pairs(goal), replace, tuple(about or ()))
    work = on(
        log, lambda opened: forking.fork(opened, world, at, name=name, changes=changes), write=True
    )
    answer(work, lambda found: forked(found, log), json)


def forked(found: Forked, log: str) -> TextLines:
    told = Text.assemble(
        (safe(found.world), "bold"),
        f" begins as {safe(found.parent)} up to #{found.shared}",
        f", with {counted(found.given, 'event')} of its own" if found.given else "",
    )
    return TextLines(
        (
            *laid_out(told),
            Text("Go on in it, or see what is otherwise:", "dim"),
            suggested("whoknew", "run", "--world", found.world, "--log", log),
            suggested("whoknew", "diff", found.world, "--log", log),
        )
    )
