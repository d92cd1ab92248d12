"""`whoknew show WORLD`: who is in it, and what happened."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, safe
from whoknew.engine.terminal.options import Json, LogOption, World, alone, flag
from whoknew.engine.terminal.transcript import transcript
from whoknew.engine.terminal.witnesses import Witnesses, among
from whoknew.engine.travel.show import History, history
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew show midnight-diner --log midnight-diner.db --episode 2")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    episode: Annotated[
        int | None, typer.Option("--episode", min=1, metavar="N", help="Only this episode.")
    ] = None,
    memories: Annotated[bool, flag("--memories", "Also what each remembered.")] = False,
    json: Json = False,
) -> None:
    """Tell what happened in a world, and who witnessed it."""
    answer(history(log, world, episode), lambda told: shown(told, memories=memories), json)


def shown(told: History, *, memories: bool = False) -> TextLines:
    witnesses = Witnesses(among(told.characters, told.events), told.characters)
    what = f"{safe(told.title)}  ({safe(told.world)}, {counted(told.episodes, 'episode')})"
    return TextLines(
        (
            Text(what, "bold"),
            *laid_out(Text(witnesses.legend())),
            *transcript(told.events, witnesses, memories="whole" if memories else "none"),
            Text(f"\nstory {told.digest}", "dim"),
        )
    )
