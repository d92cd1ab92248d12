"""`whoknew mark`: a moment gets a name."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, safe, suggested
from whoknew.engine.terminal.options import (
    At,
    Json,
    LogOption,
    Name,
    World,
    alone,
    flag,
    on,
)
from whoknew.engine.travel import mark as marking
from whoknew.engine.travel.mark import Marked
from whoknew.eventlog.cursor import AtMark

app = alone()


@app.command(
    epilog="Example: whoknew mark midnight-diner 'the secret' --at '#97' --secret --log midnight-diner.db"
)
def command(
    world: World,
    name: Name,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    secret: Annotated[
        bool,
        flag("--secret", "The event there is a secret: `whoknew knows` shows who knows of it."),
    ] = False,
    json: Json = False,
) -> None:
    """Give a moment a name, which is a cursor from then on."""
    work = on(log, lambda opened: marking.mark(opened, world, name, at, secret=secret), write=True)
    answer(work, lambda found: marked(found, log), json)


def marked(found: Marked, log: str) -> TextLines:
    what = "secret" if found.secret else "moment"
    told = Text(f'"{safe(found.name)}" is the {what} at #{found.cursor} of {safe(found.world)}')
    follow = (
        command_text("knows", found.world, log=log)
        if found.secret
        else command_text("replay", found.world, at=str(AtMark(found.name)), log=log)
    )
    return TextLines((*laid_out(told), suggested(follow)))
